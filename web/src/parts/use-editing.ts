import { useEffect, useRef, useState } from 'react'
import { ChangedMeanwhile } from './changed-meanwhile.ts'
import { explain } from './explain.ts'
import { useDraft } from './use-draft.ts'

const SAVED_IS_SHOWN_FOR = 2500

export interface EditingOptions {
  /** What is edited, as the editor has it; empty: nothing. */
  value: string
  /** By which what is typed is kept until it is saved: unique among everything that is edited. */
  draftKey: string
  /**
   * Saves what was typed.
   * @param seen the value as it was shown when the typing began
   * @throws ChangedMeanwhile when somebody else has changed it since; both values are shown then
   */
  save: (value: string, seen: string) => Promise<unknown>
  /** What is wrong with the value; null: nothing. */
  check?: ((value: string) => string | null) | undefined
}

export type EditingState =
  | { kind: 'calm' | 'saving' | 'saved' }
  | { kind: 'failed'; message: string; text: string }
  | { kind: 'changed'; theirs: string }

/** A value that is changed in place: what is typed, and how far its saving is. */
export function useEditing({ value, draftKey, save, check }: EditingOptions) {
  const [typed, setTyped, forget] = useDraft<string | null>(`field:${draftKey}`, null)
  const [isOpen, setOpen] = useState(typed !== null)
  const [state, setState] = useState<EditingState>({ kind: 'calm' })
  const seen = useRef(value)
  const text = typed ?? value

  useEffect(() => {
    if (state.kind !== 'saved') return
    const timer = setTimeout(() => setState({ kind: 'calm' }), SAVED_IS_SHOWN_FOR)
    return () => clearTimeout(timer)
  }, [state])

  const type = (changed: string) => {
    if (typed === null) seen.current = value
    setTyped(changed)
  }
  const close = () => {
    forget()
    setOpen(false)
    setState({ kind: 'calm' })
  }
  const fail = (message: string, wanted: string) => {
    setOpen(true)
    setState({ kind: 'failed', message, text: wanted })
  }
  const commit = async (chosen: string = text) => {
    const wanted = chosen.trim()
    const before = typed === null ? value : seen.current
    if (wanted === before.trim()) return close()
    type(chosen)
    const fault = check?.(wanted)
    if (fault) return fail(fault, wanted)
    setOpen(false)
    setState({ kind: 'saving' })
    try {
      await save(wanted, before)
      forget()
      setState({ kind: 'saved' })
    } catch (error) {
      setOpen(true)
      if (error instanceof ChangedMeanwhile) setState({ kind: 'changed', theirs: error.theirs })
      else fail(explain(error), wanted)
    }
  }
  /** Leaving the editor saves, unless nothing is other than when it could not be saved. */
  const leave = () => {
    if (state.kind === 'changed' || (state.kind === 'failed' && state.text === text.trim())) return
    commit()
  }
  const keepMine = () => {
    if (state.kind === 'changed') seen.current = state.theirs
    commit()
  }
  const open = () => {
    if (state.kind !== 'saving') setOpen(true)
  }
  return { text, isOpen, state, open, type, commit, leave, close, keepMine }
}
