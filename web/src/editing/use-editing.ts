import { notifications } from '@mantine/notifications'
import { useEffect, useRef, useState } from 'react'
import { strings } from '#strings/general.ts'
import { errorMessage } from '#web/service/error-message.ts'
import { EditConflict } from './edit-conflict.ts'
import { useDraft } from './use-draft.ts'

const SAVED_MESSAGE_MS = 2500

export interface EditingOptions {
  /** What is edited, as the editor has it; empty: nothing. */
  value: string
  /** By which what is typed is kept until it is saved: unique among everything that is edited. */
  draftKey: string
  /**
   * Saves what was typed.
   * @param seen the value as it was shown when the typing began
   * @throws EditConflict when somebody else has changed it since; both values are shown then
   */
  save: (value: string, seen: string) => Promise<unknown>
  /** What is wrong with the value; null: nothing. */
  check?: ((value: string) => string | null) | undefined
}

export type EditingState =
  | { kind: 'calm' | 'saving' | 'saved' }
  | { kind: 'failed'; message: string; text: string }
  | { kind: 'changed'; theirs: string }

interface Draft {
  text: string
  /** The value when the typing began, perhaps before the page was loaded again. */
  from: string
}

/** A value that is changed in place: what is typed, and how far its saving is. */
export function useEditing({ value, draftKey, save, check }: EditingOptions) {
  const [draft, setDraft, forget] = useDraft<Draft | null>(`edit:${draftKey}`, null)
  const [isOpen, setOpen] = useState(draft !== null)
  const [state, setState] = useState<EditingState>({ kind: 'calm' })
  const isShown = useRef(false)
  const text = draft?.text ?? value
  const from = draft?.from ?? value

  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  useEffect(() => {
    if (state.kind !== 'saved') return
    const timer = setTimeout(() => setState({ kind: 'calm' }), SAVED_MESSAGE_MS)
    return () => clearTimeout(timer)
  }, [state])

  const type = (changed: string) => setDraft({ text: changed, from })
  const close = () => {
    forget()
    setOpen(false)
    setState({ kind: 'calm' })
  }
  const showFailure = (message: string, wanted: string) => {
    setOpen(true)
    setState({ kind: 'failed', message, text: wanted })
  }
  const saveOver = async (before: string, chosen: string) => {
    const wanted = chosen.trim()
    if (wanted === before.trim() || wanted === value.trim()) return close()
    setDraft({ text: chosen, from: before })
    const problem = check?.(wanted)
    if (problem) return showFailure(problem, wanted)
    setOpen(false)
    setState({ kind: 'saving' })
    try {
      await save(wanted, before)
      forget()
      setState({ kind: 'saved' })
    } catch (error) {
      if (!isShown.current) notifyNotSaved(errorMessage(error))
      setOpen(true)
      if (error instanceof EditConflict) setState({ kind: 'changed', theirs: error.theirs })
      else showFailure(errorMessage(error), wanted)
    }
  }
  const commit = (chosen: string = text) => saveOver(from, chosen)
  /** Leaving the editor saves, unless nothing is other than when it could not be saved. */
  const leave = () => {
    if (state.kind === 'changed' || (state.kind === 'failed' && state.text === text.trim())) return
    commit()
  }
  const keepMine = () => saveOver(state.kind === 'changed' ? state.theirs : from, text)
  const open = () => {
    if (state.kind !== 'saving') setOpen(true)
  }
  return { text, isOpen, state, open, type, commit, leave, close, keepMine }
}

/** For who has left the page that the field was on. */
const notifyNotSaved = (message: string) =>
  notifications.show({ color: 'red', title: strings.notSaved, message, autoClose: 10_000 })
