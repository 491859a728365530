import { Combobox, Text, TextInput, useCombobox } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { Dialog } from './dialog.tsx'
import classes from './picker.module.css'

export interface PickerOption {
  value: string
  label: string
  /** Beside the label, dimmed. */
  detail?: string | undefined
  /** Below the label, dimmed. */
  below?: string | undefined
  icon?: ReactNode
  /** On the right, such as keys. */
  hint?: ReactNode
  isDisabled?: boolean
}

export interface PickerGroup {
  /** Without a label, the options stand alone. */
  label?: string
  options: readonly PickerOption[]
}

interface PickerProps {
  /** Names the dialog. */
  title: string
  placeholder: string
  groups: readonly PickerGroup[]
  query: string
  search: (query: string) => void
  choose: (value: string) => void
  close: () => void
  /** The text shown if there are no options. */
  nothing: string
  /** Whether the keys 1 to 9 choose an option while the query is empty. */
  hasDigits?: boolean
}

const DIGITS = 9

/** A dialog with a query and a list below it: the arrow keys move, Enter chooses. */
export function Picker(props: PickerProps) {
  return (
    <Dialog
      onClose={props.close}
      withCloseButton={false}
      padding={0}
      size={560}
      yOffset="12vh"
      title={props.title}
      classNames={{ header: classes.title ?? '' }}
      transitionProps={{ duration: 0 }}
    >
      <QueryAndList {...props} />
    </Dialog>
  )
}

function QueryAndList(props: PickerProps) {
  const { title, groups, query, choose, hasDigits = false } = props
  const input = useRef<HTMLInputElement>(null)
  const options = groups.flatMap((group) => group.options)
  // Escape closes the list, and the dialog leaves the key to it.
  const store = useCombobox({ opened: true, scrollBehavior: 'instant', onDropdownClose: props.close })
  const { selectFirstOption } = store
  const first = options.find(({ isDisabled }) => !isDisabled)?.value
  // Before the browser paints: the next key already belongs to the query.
  useLayoutEffect(() => input.current?.focus(), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for each query, and when the first option changes
  useEffect(() => {
    selectFirstOption()
  }, [query, first])
  const usesDigits = hasDigits && query === ''
  const press = (event: KeyboardEvent) => {
    if (!usesDigits || !/^[1-9]$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const option = options[Number(event.key) - 1]
    if (option) choose(option.value)
  }
  const optionOf = (option: PickerOption) => {
    const at = options.indexOf(option)
    const digit = usesDigits && at < DIGITS ? at + 1 : undefined
    return <Option key={option.value} {...option} digit={digit} />
  }
  return (
    <Combobox store={store} onOptionSubmit={choose} size="sm">
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          ref={input}
          data-autofocus
          variant="unstyled"
          size="md"
          role="combobox"
          aria-label={title}
          placeholder={props.placeholder}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={query}
          onChange={(event) => props.search(event.currentTarget.value)}
          onKeyDown={press}
          dir="auto"
          className={classes.query}
        />
      </Combobox.EventsTarget>
      <Combobox.Options
        tabIndex={0}
        className={classes.options}
        aria-label={title}
        hidden={options.length === 0}
      >
        {groups.map(({ label, options: grouped }) =>
          label ? (
            <Combobox.Group key={label} label={label}>
              {grouped.map(optionOf)}
            </Combobox.Group>
          ) : (
            grouped.map(optionOf)
          ),
        )}
      </Combobox.Options>
      {options.length === 0 && (
        <Text size="sm" c="dimmed" p="md" role="status">
          {props.nothing}
        </Text>
      )}
    </Combobox>
  )
}

function Option({
  value,
  label,
  detail,
  below,
  icon,
  hint,
  isDisabled,
  digit,
}: PickerOption & { digit?: number | undefined }) {
  return (
    <Combobox.Option value={value} disabled={isDisabled ?? false} className={classes.option}>
      {icon}
      <span className={classes.label} dir="auto">
        {label}
        {below && (
          <span className={classes.below} dir="auto">
            {below}
          </span>
        )}
      </span>
      {detail && (
        <span className={classes.detail} dir="auto">
          {detail}
        </span>
      )}
      {hint}
      {digit !== undefined && <kbd className={classes.digit}>{digit}</kbd>}
    </Combobox.Option>
  )
}
