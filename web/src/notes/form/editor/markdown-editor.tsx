import { ActionIcon, Box, Input, Popover, Text, Textarea, Tooltip } from '@mantine/core'
import { IconBold, IconItalic, IconLink, IconList } from '@tabler/icons-react'
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { strings } from '#strings/notes.ts'
import Markdown from '#web/ui/markdown/markdown.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import classes from './markdown-editor.module.css'
import { applyEdit, continueLine, type Edit, link, pasteOver, toggleList, wrap } from './markdown-edits.ts'
import { type Mention, selectedIn, useMentions } from './use-mentions.ts'

interface MarkdownEditorProps {
  value: string
  onChange: (value: string) => void
  addMention: (mention: Mention) => void
  /** The addresses of the users who can be mentioned, if these are not all. */
  mentionable: readonly string[] | undefined
  placeholder: string
  minRows: number
  error: string | null
  /** The mentions in the text, for the preview. */
  mentions: readonly string[]
}

const BOLD = '**'
const ITALIC = '*'
const TOOLS = [
  { label: strings.bold, Icon: IconBold, key: 'b', edit: (field: Field) => wrap(selectedIn(field), BOLD) },
  {
    label: strings.italic,
    Icon: IconItalic,
    key: 'i',
    edit: (field: Field) => wrap(selectedIn(field), ITALIC),
  },
  { label: strings.link, Icon: IconLink, key: 'k', edit: (field: Field) => link(selectedIn(field)) },
  { label: strings.list, Icon: IconList, key: null, edit: (field: Field) => toggleList(selectedIn(field)) },
]
const MODES = [
  { value: 'write', label: strings.writeMode },
  { value: 'preview', label: strings.preview },
] as const

type Field = HTMLTextAreaElement

/** A text field for Markdown with keys for formatting, mentions, and a preview. */
export function MarkdownEditor(props: MarkdownEditorProps) {
  const { value, onChange, addMention, placeholder, minRows, error, mentions } = props
  const field = useRef<Field>(null)
  const [mode, setMode] = useState<'write' | 'preview'>('write')
  const list = useMentions(field, addMention, props.mentionable)
  useEffect(() => {
    if (mode !== 'write' || !field.current) return
    const { length } = field.current.value
    field.current.focus()
    field.current.setSelectionRange(length, length)
  }, [mode])
  const apply = (edit: Edit | null) => {
    if (edit && field.current) applyEdit(field.current, edit)
  }
  const press = (event: KeyboardEvent<Field>) => {
    if (event.nativeEvent.isComposing || list.press(event)) return
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
    const tool = isCommand && TOOLS.find(({ key }) => key === event.key.toLowerCase())
    const edit = tool
      ? tool.edit(event.currentTarget)
      : event.key === 'Enter' && !event.ctrlKey && !event.metaKey && !event.shiftKey
        ? continueLine(selectedIn(event.currentTarget))
        : null
    if (!edit) return
    event.preventDefault()
    apply(edit)
  }
  const paste = (event: ClipboardEvent<Field>) => {
    const edit = pasteOver(selectedIn(event.currentTarget), event.clipboardData.getData('text/plain'))
    if (!edit) return
    event.preventDefault()
    apply(edit)
  }
  return (
    <Input.Wrapper error={error}>
      <div className={classes.editor} data-error={error !== null || undefined}>
        <div className={classes.toolbar}>
          {mode === 'write' &&
            TOOLS.map(({ label, Icon, edit }) => (
              <Tooltip key={label} label={label} openDelay={400}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={28}
                  aria-label={label}
                  // The text keeps the focus and its selection.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => field.current && apply(edit(field.current))}
                >
                  <Icon size={16} aria-hidden />
                </ActionIcon>
              </Tooltip>
            ))}
          <SegmentedControl
            size="xs"
            ml="auto"
            aria-label={strings.preview}
            value={mode}
            onChange={setMode}
            data={MODES}
          />
        </div>
        {mode === 'preview' ? (
          <Preview value={value} mentions={mentions} minRows={minRows} />
        ) : (
          <MentionList list={list}>
            <Textarea
              ref={field}
              data-autofocus
              variant="unstyled"
              aria-label={strings.body}
              placeholder={placeholder}
              autosize
              minRows={minRows}
              maxRows={18}
              value={value}
              onChange={(event) => {
                onChange(event.currentTarget.value)
                list.look()
              }}
              onClick={list.look}
              onKeyUp={({ key }) => /^(?:Arrow(?:Left|Right)|Home|End)$/.test(key) && list.look()}
              onBlur={list.close}
              onKeyDown={press}
              onPaste={paste}
              dir="auto"
              error={error !== null}
              classNames={{ input: classes.input }}
              styles={{ input: { paddingInline: '0.75rem' } }}
              {...list.fieldProps}
            />
          </MentionList>
        )}
      </div>
    </Input.Wrapper>
  )
}

function Preview({
  value,
  mentions,
  minRows,
}: {
  value: string
  mentions: readonly string[]
  minRows: number
}) {
  return (
    <Box
      component="section"
      className={classes.preview}
      mih={`${minRows * 1.4 + 1}rem`}
      mah="29rem"
      tabIndex={0}
      aria-label={strings.preview}
    >
      {value.trim() === '' ? (
        <Text size="sm" c="dimmed">
          {strings.emptyPreview}
        </Text>
      ) : (
        <Markdown markdown={value} level={4} mentions={mentions} />
      )}
    </Box>
  )
}

function MentionList({ list, children }: { list: ReturnType<typeof useMentions>; children: ReactNode }) {
  return (
    <Popover
      opened={list.found.length > 0}
      position="bottom-start"
      offset={2}
      shadow="md"
      width={280}
      trapFocus={false}
      returnFocus={false}
      closeOnEscape={false}
      withRoles={false}
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <div>{children}</div>
      </Popover.Target>
      <Popover.Dropdown p={0}>
        <div className={classes.people} id={list.id} role="listbox" aria-label={strings.people} tabIndex={-1}>
          {list.found.map(({ value, label }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the text field choose an option
            <div
              key={value}
              id={list.optionId(index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === list.marked}
              className={classes.person}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => list.choose(value)}
            >
              <Text size="sm" truncate dir="auto">
                {label}
              </Text>
              <Text size="xs" c="dimmed" truncate>
                {value}
              </Text>
            </div>
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
