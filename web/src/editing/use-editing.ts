import { notifications } from '@mantine/notifications'
import { useEffect, useRef, useState } from 'react'
import { ServiceUnreachable } from '#src/client/errors.ts'
import { strings } from '#strings/general.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { waitForRecovery } from '#web/api/service-up.ts'
import { EditConflict } from './edit-conflict.ts'
import { useDraft } from './use-draft.ts'

const SAVED_MESSAGE_MS = 2500

export interface EditingOptions {
  /** The value, in the form that the editor uses. An empty string means no value. */
  value: string
  /** The storage key of the draft, unique among all fields. */
  draftKey: string
  /**
   * Saves the text.
   * @param seen the value when editing began
   * @throws EditConflict when someone else changed the value since then
   */
  save: (value: string, seen: string) => Promise<unknown>
  /** Returns the problem with a value, or null. */
  check?: ((value: string) => string | null) | undefined
}

type EditingState =
  | { kind: 'idle' | 'saving' | 'saved' }
  | { kind: 'failed'; message: string; text: string }
  | { kind: 'conflict'; remote: string }

interface Draft {
  text: string
  /** The value when editing began, perhaps before a reload. */
  from: string
}

/** The state of a value that is edited in place: the draft and the progress of saving. */
export function useEditing({ value, draftKey, save, check }: EditingOptions) {
  const [draft, setDraft, clearDraft] = useDraft<Draft | null>(`edit:${draftKey}`, null)
  const [isOpen, setOpen] = useState(draft !== null)
  const [state, setState] = useState<EditingState>({ kind: 'idle' })
  const isShown = useRef(false)
  const text = draft?.text ?? value
  // Some inputs report their last change when they lose the focus, just before the field is left.
  const latest = useRef(text)
  latest.current = text
  const from = draft?.from ?? value

  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  useEffect(() => {
    if (state.kind !== 'saved') return
    const timer = setTimeout(() => setState({ kind: 'idle' }), SAVED_MESSAGE_MS)
    return () => clearTimeout(timer)
  }, [state])

  const setText = (changed: string) => {
    latest.current = changed
    setDraft({ text: changed, from })
  }
  const close = () => {
    clearDraft()
    setOpen(false)
    setState({ kind: 'idle' })
  }
  const showFailure = (message: string, trimmed: string) => {
    setOpen(true)
    const failed = { kind: 'failed', message, text: trimmed } as const
    setState(failed)
    return failed
  }
  const saveFrom = async (before: string, chosen: string) => {
    const trimmed = chosen.trim()
    if (trimmed === before.trim() || trimmed === value.trim()) return close()
    setDraft({ text: chosen, from: before })
    const problem = check?.(trimmed)
    if (problem) return showFailure(problem, trimmed)
    setOpen(false)
    setState({ kind: 'saving' })
    try {
      await save(trimmed, before)
      clearDraft()
      setState({ kind: 'saved' })
    } catch (error) {
      if (!isShown.current) notifyNotSaved(errorMessage(error))
      setOpen(true)
      if (error instanceof EditConflict) return setState({ kind: 'conflict', remote: error.remote })
      const failed = showFailure(errorMessage(error), trimmed)
      if (error instanceof ServiceUnreachable)
        waitForRecovery().then(() =>
          setState((current) => (current === failed ? { ...failed, message: strings.serviceBack } : current)),
        )
    }
  }
  const commit = (chosen: string = latest.current) => saveFrom(from, chosen)
  /** Leaving the editor saves, unless nothing has changed since saving failed. */
  const leave = () => {
    if (state.kind === 'conflict' || (state.kind === 'failed' && state.text === latest.current.trim())) return
    commit()
  }
  const keepMine = () => saveFrom(state.kind === 'conflict' ? state.remote : from, text)
  const open = () => {
    if (state.kind !== 'saving') setOpen(true)
  }
  return { text, isOpen, state, open, setText, commit, leave, close, keepMine }
}

/** For users who have already left the page of the field. */
const notifyNotSaved = (message: string) =>
  notifications.show({ color: 'red', title: strings.notSaved, message, autoClose: 10_000 })
