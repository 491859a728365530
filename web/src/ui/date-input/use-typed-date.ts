import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffectEvent,
  useLayoutEffect,
  useState,
} from 'react'
import { flushSync } from 'react-dom'

/** How a field reads and writes its values. */
export interface DateReading {
  /** null if the text is none. */
  parse: (text: string) => string | null
  /** A value as the field shows it. */
  format: (value: string) => string
  /** A value as it is shown while it is typed. */
  describe: (value: string) => string
  /** Why a value is not taken, or null. */
  problemOf: (value: string) => string | null
  /** What to answer to a text that is no value. */
  notUnderstood: (text: string) => string
}

interface TypedDateProps {
  value: string | null
  onChange: (value: string | null) => void
  onInvalid: ((problem: string | null) => void) | undefined
  /** Whether an empty text is null. Otherwise the value comes back. */
  clearable: boolean
  /** Whether it is the only field of its form: Enter sends the form too. */
  isOnly: boolean
  reading: DateReading
  input: RefObject<HTMLInputElement | null>
}

interface Typed {
  text: string
  /** Whether it has changed since it was read. */
  isPending: boolean
  problem: string | null
}

/** The text of a date field until it is taken as a value: with Enter, or on leaving the field. */
export function useTypedDate({
  value,
  onChange,
  onInvalid,
  clearable,
  isOnly,
  reading,
  input,
}: TypedDateProps) {
  const [typed, setTyped] = useState<Typed | null>(null)
  /** The value that was typed last. It stays described, so that nothing moves under a click that leaves the field. */
  const [said, setSaid] = useState<string | null>(null)
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    setTyped(null)
  }
  const shown = value === null ? '' : reading.format(value)
  const problem = typed?.problem ?? null
  const text = typed?.text.trim() ?? ''
  const isPending = typed?.isPending === true

  const put = (next: string | null) => {
    setTyped(null)
    // A form that knows of the problem waits for a value, even for the same one.
    if (next !== value || problem !== null) onChange(next)
  }
  const take = () => {
    if (!isPending) return
    if (text === '' && !clearable) return put(value)
    if (text === '' || text === shown) return put(text === '' ? null : value)
    const parsed = reading.parse(text)
    const found = parsed === null ? reading.notUnderstood(text) : reading.problemOf(parsed)
    if (parsed === null || found) setTyped({ text, isPending: false, problem: found })
    else {
      setSaid(parsed)
      put(parsed)
    }
  }

  const report = useEffectEvent((found: string | null) => onInvalid?.(found))
  useLayoutEffect(() => {
    if (problem === null) return
    report(problem)
    const form = input.current?.form
    const hold = (event: SubmitEvent) => {
      event.preventDefault()
      event.stopPropagation()
      input.current?.focus()
    }
    form?.addEventListener('submit', hold, true)
    return () => {
      form?.removeEventListener('submit', hold, true)
      report(null)
    }
  }, [problem, input])

  // A click beside a popover closes it before the field has lost the focus.
  const leave = useEffectEvent(() => {
    const left = isPending && text !== '' && text !== shown ? reading.parse(text) : null
    if (left !== null && reading.problemOf(left) === null) onChange(left)
  })
  useLayoutEffect(() => () => leave(), [])

  const isRead = isPending && text !== '' && text !== shown
  const parsed = isRead ? reading.parse(text) : typed === null && value === said ? said : null
  return {
    put,
    take,
    isPending,
    problem,
    preview: parsed === null ? null : (reading.problemOf(parsed) ?? reading.describe(parsed)),
    inputProps: {
      value: typed?.text ?? shown,
      onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
        setTyped({ text: currentTarget.value, isPending: true, problem }),
      // Before the handlers of the elements around it, so that they save the date and not what it was before.
      onKeyDownCapture: (event: KeyboardEvent<HTMLInputElement>) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Escape') setTyped(null)
        if (event.key !== 'Enter' || !isPending) return
        flushSync(take)
        // A form with other fields is sent with another Enter.
        if (event.currentTarget.form && !isOnly && !event.ctrlKey && !event.metaKey) event.preventDefault()
      },
      onBlurCapture: () => {
        // The text stays while another window has the focus.
        if (isPending && document.hasFocus()) flushSync(take)
      },
      onBlur: (event: FocusEvent) => {
        // To the elements around it, a field with a text that is no date still has the focus.
        if (problem !== null && !isPending) event.preventDefault()
      },
    },
  }
}
