import { Button, Group, Loader, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconPencil } from '@tabler/icons-react'
import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { strings } from '#strings/editable-field.ts'
import { strings as general } from '#strings/general.ts'
import { useCan } from '#web/api/use-can.ts'
import { isPrinting } from '#web/browser/printing.ts'
import classes from './editable-field.module.css'
import { EditableFieldConflict } from './editable-field-conflict.tsx'
import { EditableFieldInput, type FieldEditor } from './editable-field-input.tsx'
import { type EditingOptions, useEditing } from './use-editing.ts'

interface EditableFieldProps extends EditingOptions {
  label: string
  /** Hides the label from view but not from assistive technology. */
  hideLabel?: boolean
  editor: FieldEditor
  /** How the value is shown while it is not edited. Default: as it is. */
  display?: ReactNode
  /** Formats the value as readable text, such as an id as a name. */
  format?: (value: string) => string
  /** Shown beside the value, such as a link. */
  aside?: ReactNode
  /** Called when the editor opens, for example to load suggestions. */
  onEdit?: () => void
  /** Whether the editor is open at first, and has the focus. */
  opensAtOnce?: boolean
}

/** A value that is edited in place by those who may, and shown to everyone else. */
export function EditableField(props: EditableFieldProps) {
  return useCan('write') ? <EditedField {...props} /> : <ShownField {...props} />
}

function ShownField({ label, hideLabel, value, display, aside }: EditableFieldProps) {
  return (
    <Stack gap={2} style={{ minWidth: 0 }}>
      {!hideLabel && (
        <Text size="xs" c="dimmed" fw={500}>
          {label}
        </Text>
      )}
      <div className={classes.value}>
        <span dir="auto" className="break-anywhere">
          {display || value || <Nothing />}
        </span>
        {aside}
      </div>
    </Stack>
  )
}

/**
 * A value that is edited in place. A click, Enter, or F2 opens the editor. Enter (Ctrl+Enter in long texts) and
 * leaving the field save; Escape cancels. If saving fails, the editor stays open and shows the reason.
 */
function EditedField(props: EditableFieldProps) {
  const { label, hideLabel = false, editor, display, format = (value) => value, aside, onEdit } = props
  const { value, opensAtOnce = false } = props
  const editing = useEditing(props)
  const { state, text, isOpen } = editing
  const shown = useRef<HTMLDivElement>(null)
  const [takesFocus, setTakesFocus] = useState(opensAtOnce)
  const returnsFocus = useRef(false)
  /** Whether the focus is elsewhere though the input has no value yet. Its next value is saved. */
  const isLeft = useRef(false)

  useEffect(() => {
    if (isOpen || !returnsFocus.current) return
    returnsFocus.current = false
    shown.current?.focus()
  }, [isOpen])

  const open = () => {
    setTakesFocus(true)
    onEdit?.()
    editing.open()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only at first
  useEffect(() => {
    if (opensAtOnce) open()
  }, [])
  const commit = async (chosen?: string) => {
    returnsFocus.current = true
    await editing.commit(chosen)
  }
  const cancel = () => {
    returnsFocus.current = true
    editing.close()
  }
  const enter = () => {
    isLeft.current = false
  }
  const leave = (event: FocusEvent) => {
    if (event.currentTarget.contains(event.relatedTarget)) return
    // The input is waiting for options, or shows why its text is not a value yet.
    isLeft.current = event.isDefaultPrevented()
    if (isLeft.current) return
    // Another window has the focus, or the field is not on paper. The user may come back and continue.
    if (!document.hasFocus() || isPrinting()) return
    setTakesFocus(false)
    returnsFocus.current = false
    editing.leave()
  }
  const type = (changed: string) => {
    editing.setText(changed)
    if (isLeft.current) editing.commit(changed)
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.target instanceof HTMLButtonElement) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      cancel()
    }
    if (event.key !== 'Enter' || event.defaultPrevented) return
    if (editor.kind === 'multiline' && !event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    commit()
  }

  return (
    <Stack gap={2} style={{ minWidth: 0 }}>
      <Group gap={6} wrap="nowrap" mih={hideLabel ? 0 : 18}>
        {!hideLabel && (
          <Text size="xs" c="dimmed" fw={500}>
            {label}
          </Text>
        )}
        {!hideLabel && <Progress kind={state.kind} />}
      </Group>
      {isOpen ? (
        <Stack gap="xs" className={classes.editor} onFocus={enter} onBlur={leave} onKeyDown={press}>
          <EditableFieldInput
            label={label}
            editor={editor}
            text={text}
            error={state.kind === 'failed' ? state.message : null}
            takesFocus={takesFocus}
            onType={type}
            commit={commit}
          />
          {state.kind === 'conflict' && (
            <EditableFieldConflict
              remote={format(state.remote)}
              mine={format(text)}
              takeRemote={cancel}
              keepMine={() => {
                returnsFocus.current = true
                editing.keepMine()
              }}
            />
          )}
          {(editor.kind === 'multiline' || state.kind === 'failed') && state.kind !== 'conflict' && (
            <Group gap="xs">
              <Button size="compact-sm" onClick={() => commit()}>
                {strings.save}
              </Button>
              <Button size="compact-sm" variant="default" onClick={cancel}>
                {strings.cancel}
              </Button>
              {editor.kind === 'multiline' && (
                <Text size="xs" c="dimmed" visibleFrom="xs">
                  {strings.saveKeys}
                </Text>
              )}
            </Group>
          )}
        </Stack>
      ) : (
        <div className={classes.value}>
          <UnstyledButton
            component="div"
            ref={shown}
            role="button"
            tabIndex={0}
            className={classes.display}
            data-has-aside={Boolean(aside) || undefined}
            aria-busy={state.kind === 'saving'}
            title={strings.hint}
            onClick={() => {
              if (getSelection()?.isCollapsed !== false) open()
            }}
            onBlur={() => setTakesFocus(false)}
            onKeyDown={(event: KeyboardEvent) => {
              if (!['Enter', ' ', 'F2'].includes(event.key) || event.target !== event.currentTarget) return
              event.preventDefault()
              open()
            }}
          >
            <VisuallyHidden>{strings.edit(label)}</VisuallyHidden>
            <span dir="auto">{display || value || <Nothing />}</span>
            <IconPencil size={14} aria-hidden className={classes.pencil} />
          </UnstyledButton>
          {aside}
          {hideLabel && <Progress kind={state.kind} />}
        </div>
      )}
    </Stack>
  )
}

function Nothing() {
  return (
    <>
      <Text span inherit c="dimmed" aria-hidden>
        {general.none}
      </Text>
      <VisuallyHidden>{strings.empty}</VisuallyHidden>
    </>
  )
}

/** The progress of saving, announced to screen readers. */
function Progress({ kind }: { kind: string }) {
  return (
    <Group gap={4} role="status" wrap="nowrap" c="teal" fz="xs">
      {kind === 'saving' && (
        <>
          <Loader size={12} color="gray" aria-hidden />
          <VisuallyHidden>{strings.saving}</VisuallyHidden>
        </>
      )}
      {kind === 'saved' && (
        <>
          <IconCheck size={14} aria-hidden />
          <Text span inherit c="var(--mantine-color-text)">
            {strings.saved}
          </Text>
        </>
      )}
    </Group>
  )
}
