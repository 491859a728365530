import {
  type ComboboxData,
  type ComboboxItem,
  type ComboboxParsedItem,
  getParsedComboboxData,
  isOptionsGroup,
} from '@mantine/core'
import {
  type FocusEvent,
  type InputEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { foldText } from '#src/client/limits.ts'
import { strings } from '#strings/general.ts'

/** Makes an option of a text that matches none yet; null if the text cannot become one. */
export type CreateOption = (text: string) => ComboboxItem | null

/** The option that a text stands for: the first match, or the only one. */
export type WhichOption = 'first' | 'only'

/** Properties of Mantine's selects that a typed choice takes over. */
export type TakenOver =
  | 'data'
  | 'value'
  | 'onChange'
  | 'filter'
  | 'searchable'
  | 'searchValue'
  | 'onSearchChange'
  | 'selectFirstOptionOnChange'

interface TypedChoiceProps {
  options: ComboboxData
  /** The text that the input shows while nothing is typed. */
  shown: string
  /** Values that are not offered. */
  taken?: readonly string[] | undefined
  /** Whether an option matches a text, which `foldText` has folded. Default: its label contains the text. */
  matches?: ((option: ComboboxItem, text: string) => boolean) | undefined
  create?: CreateOption | undefined
  /** Whether the options for the text are still loading. */
  isPending?: boolean | undefined
  limit?: number | undefined
  /** Why no option matches. */
  nothingFoundMessage?: ReactNode
  /** Takes an option. */
  choose: (option: ComboboxItem) => void
  /** Keeps a text that is entered while the options are loading. Default: it stays in the input. */
  hold?: ((text: string, which: WhichOption) => void) | undefined
}

const DEFAULT_LIMIT = 300

/** All options, without their groups. */
export const flatOptions = (options: readonly ComboboxParsedItem[]): ComboboxItem[] =>
  options.flatMap((option) => (isOptionsGroup(option) ? flatOptions(option.items) : [option]))

const containsText = ({ label }: ComboboxItem, text: string) => foldText(label).includes(text)

/** The options that match, those that begin with the text first. */
function findOptions(
  options: readonly ComboboxParsedItem[],
  text: string,
  matches: (option: ComboboxItem, text: string) => boolean,
): ComboboxParsedItem[] {
  const found = options.flatMap((option): ComboboxParsedItem[] => {
    if (!isOptionsGroup(option)) return matches(option, text) ? [option] : []
    const items = findOptions(option.items, text, matches) as ComboboxItem[]
    return items.length > 0 ? [{ ...option, items }] : []
  })
  const begins = (option: ComboboxParsedItem) =>
    !isOptionsGroup(option) && foldText(option.label).startsWith(text)
  return [...found.filter(begins), ...found.filter((option) => !begins(option))]
}

const listOf = (input: HTMLElement | null) =>
  document.getElementById(input?.getAttribute('aria-controls') ?? '')
const highlightedIn = (input: HTMLElement | null) =>
  listOf(input)?.querySelector<HTMLElement>('[data-combobox-option][data-combobox-selected]')

/**
 * The text typed into a select. Enter and Tab take the highlighted option, the first match is highlighted, and a new
 * value has a row of its own at the end. Leaving with the mouse takes the option if only one matches. Otherwise the
 * text stays with an error, and the form is not submitted. Escape discards the text.
 */
export function useTypedChoice(props: TypedChoiceProps) {
  const { shown, taken = [], create, isPending = false, limit = DEFAULT_LIMIT, choose, hold } = props
  const { matches = containsText } = props
  const [typed, setTyped] = useState<string | null>(null)
  const [isUnclear, setUnclear] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  /** Which option to take once the options have loaded. */
  const awaited = useRef<WhichOption | null>(null)
  const text = (typed ?? '').trim()
  const isTyping = text !== '' && typed !== shown
  const all = getParsedComboboxData<string>(props.options)
  /** The options for a text, and the one that it would create. */
  const offer = (text: string) => {
    const isFree = ({ value }: ComboboxItem) => !taken.includes(value)
    const isFound = (option: ComboboxItem, folded: string) =>
      isFree(option) && (text === '' || matches(option, folded))
    const found = findOptions(all, foldText(text), isFound)
    const exact = flatOptions(found).find(({ label }) => label.toLowerCase() === text.toLowerCase())
    const made = text !== '' && !isPending && !exact ? create?.(text) : null
    const created = made && !flatOptions(all).some(({ value }) => value === made.value) ? made : null
    return { found, exact, created, offered: created ? [...found, created] : found }
  }
  const { found, created, offered } = offer(isTyping ? text : '')
  /** The option that a text stands for; undefined if that is unclear. */
  const find = (text: string, which: WhichOption) => {
    const { exact, offered } = offer(text)
    const choices = flatOptions(offered).filter(({ disabled }) => !disabled)
    return which === 'first' ? choices[0] : (exact ?? (choices.length === 1 ? choices[0] : undefined))
  }

  const settle = () => {
    awaited.current = null
    setTyped(null)
    setUnclear(false)
  }
  const take = (option: ComboboxItem) => {
    choose(option)
    settle()
  }
  const reject = (text: string) => {
    setTyped(text)
    setUnclear(true)
  }
  /** Takes the option that the text stands for. Returns whether there is one, or nothing is typed. */
  const resolve = (which: WhichOption) => {
    if (!isTyping) return true
    if (isPending && hold) {
      hold(text, which)
      settle()
    } else if (isPending) awaited.current = which
    else {
      const chosen = find(text, which)
      if (chosen) take(chosen)
      else setUnclear(true)
      return chosen !== undefined
    }
    return false
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the options have arrived
  useEffect(() => {
    const which = awaited.current
    if (isPending || !which) return
    awaited.current = null
    const first = listOf(input.current)?.querySelector<HTMLElement>('[data-combobox-option]')
    // The click also closes the list.
    if (which === 'first' && first) first.click()
    else resolve(which)
  }, [isPending])

  useEffect(() => {
    const form = input.current?.form
    if (!form || !isTyping) return
    const hold = (event: SubmitEvent) => {
      event.preventDefault()
      event.stopPropagation()
      setUnclear(true)
      input.current?.focus()
    }
    form.addEventListener('submit', hold, true)
    return () => form.removeEventListener('submit', hold, true)
  }, [isTyping])

  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') settle()
    if (!isTyping) return
    const highlighted = isPending ? null : highlightedIn(event.currentTarget)
    if (event.key === 'Tab') {
      if (highlighted) highlighted.click()
      else resolve('first')
    }
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    event.stopPropagation()
    // Mantine forgets which option it highlights when new options arrive.
    if (highlighted) highlighted.click()
    else resolve('first')
  }
  const leave = (event: FocusEvent) => {
    if (!isTyping) return settle()
    // The text stays while another window has the focus.
    if (!document.hasFocus()) return
    // To the elements around it, the field still has the focus.
    if (awaited.current || !resolve('only')) event.preventDefault()
  }
  const isEmpty = offered.length === 0
  const none = props.nothingFoundMessage ?? strings.noOption(text)
  const problem = isUnclear && !isPending ? (isEmpty ? none : strings.chooseOption(text)) : null
  return {
    text,
    find,
    resolve,
    reject,
    settle,
    take,
    data: created ? [...all, created] : all,
    filter: () =>
      limit < offered.length ? [...found.slice(0, limit), ...(created ? [created] : [])] : offered,
    input,
    inputProps: {
      searchValue: typed ?? shown,
      // An empty list would cover the error.
      nothingFoundMessage: problem
        ? null
        : (props.nothingFoundMessage ?? (isPending ? strings.loading : strings.noMatches)),
      selectFirstOptionOnChange: isTyping && !isPending,
      onInput: (event: InputEvent<HTMLInputElement>) => {
        awaited.current = null
        setUnclear(false)
        setTyped(event.currentTarget.value)
      },
      onKeyDownCapture: press,
    },
    leave,
    problem,
  }
}
