import { ActionIcon, Center, Loader, Popover, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { strings } from '#strings/date-input.ts'
import { AnchoredPopover } from '#web/ui/anchored.tsx'
import { LazyPart } from '#web/ui/lazy.tsx'
import classes from './date-input.module.css'
import { type DateReading, useTypedDate } from './use-typed-date.ts'

/** The props that fields for dates and for times have in common. */
export interface DateFieldProps
  extends Pick<
    TextInputProps,
    'aria-label' | 'className' | 'description' | 'disabled' | 'placeholder' | 'required' | 'size' | 'w'
  > {
  label?: string
  value: string | null
  onChange: (value: string | null) => void
  /** Whether it can be emptied. Otherwise, the value comes back. */
  clearable?: boolean
  /** A problem that the form has found. */
  error?: ReactNode
  /**
   * For fields outside of forms: called with the reason when a text is no date, and with null when that is over. `value`
   * stays as it was. In a form, the field itself holds back the `submit` event and takes the focus.
   */
  onInvalid?: (problem: string | null) => void
  autoFocus?: boolean
  /** Whether it is the only field of its form: Enter sends the form too. */
  isOnly?: boolean
  /** The first day that is allowed, as `2026-03-01`. */
  minDate?: string
  /** The last one. */
  maxDate?: string
  /** Whether it is about the past: "Monday" is the latest one, and the calendar offers earlier days. */
  isPast?: boolean
}

interface Props extends Omit<DateFieldProps, 'minDate' | 'maxDate' | 'isPast'> {
  reading: DateReading
  /** The calendar, which is rendered while it is open. */
  calendar: (put: (value: string | null) => void, close: () => void) => ReactNode
}

/** In a low window, it covers the field rather than being cut off. */
const ON_SCREEN = { shift: { crossAxis: true, limiter: undefined, padding: 8 } }

/** A text field that shows what its text means, with a calendar below it. */
export function DateField(props: Props) {
  const {
    reading,
    calendar,
    value,
    onChange,
    onInvalid,
    clearable = false,
    isOnly = false,
    ...others
  } = props
  const { label, error, description, autoFocus, size = 'sm', disabled, ...rest } = others
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [isOpen, setOpen] = useState(false)
  const typed = useTypedDate({ value, onChange, onInvalid, clearable, isOnly, reading, input })
  const open = () => {
    typed.take()
    setAnchor(input.current?.parentElement ?? null)
    setOpen(true)
  }
  const close = () => {
    setOpen(false)
    input.current?.focus()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    event.stopPropagation()
    open()
  }
  const name = label ?? rest['aria-label'] ?? ''
  return (
    <>
      <TextInput
        {...rest}
        {...typed.inputProps}
        ref={input}
        label={label}
        size={size}
        disabled={disabled}
        // Half a date is not wrong yet.
        error={typed.isPending ? null : (typed.problem ?? error)}
        description={typed.preview ?? description}
        descriptionProps={{ role: 'status' }}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...(autoFocus && { autoFocus, 'data-autofocus': true })}
        onKeyDown={press}
        aria-keyshortcuts="ArrowDown"
        aria-haspopup="dialog"
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        rightSection={
          <ActionIcon
            variant="subtle"
            color="gray"
            size={size === 'xs' ? 24 : 28}
            disabled={disabled}
            aria-label={strings.openCalendar}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            // Arrow down opens it, so that it is no stop for Tab.
            tabIndex={-1}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => (isOpen ? close() : open())}
          >
            <IconCalendar size={16} />
          </ActionIcon>
        }
      />
      {anchor && (
        <AnchoredPopover
          id={id}
          button={anchor}
          opened={isOpen}
          onChange={setOpen}
          position="bottom-start"
          shadow="md"
          // A dialog would cut it off. What is edited outside of forms is saved when the focus leaves it, also for a portal.
          withinPortal={anchor.closest('form') !== null}
          width="min(18.5rem, calc(100vw - 1rem))"
          floatingStrategy="fixed"
          trapFocus
          closeOnEscape={false}
          hideDetached={false}
          middlewares={ON_SCREEN}
          transitionProps={{ duration: 0 }}
        >
          <Popover.Dropdown
            aria-labelledby={undefined}
            aria-label={strings.calendar(name)}
            className={classes.dropdown}
            data-mantine-stop-propagation
            onKeyDown={(event) => {
              // Keys act on nothing else, except Tab, which stays in the calendar.
              if (event.key !== 'Tab') event.stopPropagation()
              if (event.key === 'Escape' && !event.nativeEvent.isComposing) close()
            }}
          >
            {isOpen && (
              <LazyPart
                fallback={
                  <Center className={classes.loading}>
                    <Loader size="sm" color="gray" />
                  </Center>
                }
              >
                {calendar(typed.put, close)}
              </LazyPart>
            )}
          </Popover.Dropdown>
        </AnchoredPopover>
      )}
    </>
  )
}
