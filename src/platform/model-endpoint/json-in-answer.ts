/** How models mark the end and the start of their thoughts, where the endpoint leaves them in the answer. */
const TAGS = 'think|thinking|thought|reasoning|seed:think'
const THOUGHT_ENDS = new RegExp(
  `</(?:${TAGS})>|\\[/THINK\\]|◁/think▷|<\\|channel\\|>final(?:<\\|message\\|>)?`,
  'gi',
)
const THOUGHT_STARTS = new RegExp(`<(?:${TAGS})>|\\[THINK\\]|◁think▷|<\\|channel\\|>analysis`, 'gi')

/** No answer is that long: the rest is not searched. */
const MAX_SEARCHED_CHARACTERS = 500_000
/** How many opening braces are tried, because each may cost a pass over the text. */
const MAX_STARTS = 200

export interface FoundObjects {
  /** The JSON objects of the answer, in their order, without those in thoughts. */
  objects: unknown[]
  /** Whether the text ends within a thought. */
  endsInThought: boolean
}

/** Finds the JSON objects in a model's answer, whatever stands around them: thoughts, prose, code fences, braces. */
export function findObjects(answer: string): FoundObjects {
  const text = answer.slice(-MAX_SEARCHED_CHARACTERS)
  const lastEnd = lastMatch(text, THOUGHT_ENDS)
  const opened = firstMatch(text, THOUGHT_STARTS, lastEnd)
  const found = jsonObjects(text)
  // A tag within a string of the answer neither ends nor starts a thought.
  const usable = found.filter(({ start, end }) => end > lastEnd && (opened === -1 || start < opened))
  const isQuoted = usable.some(({ start, end }) => start < opened && end > opened)
  return { objects: usable.map(({ value }) => value), endsInThought: opened !== -1 && !isQuoted }
}

const lastMatch = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].at(-1)?.index ?? -1

const firstMatch = (text: string, pattern: RegExp, after: number): number =>
  [...text.matchAll(pattern)].find(({ index }) => index > after)?.index ?? -1

interface LocatedObject {
  start: number
  /** The place of the closing brace. */
  end: number
  value: unknown
}

function jsonObjects(text: string): LocatedObject[] {
  const found: LocatedObject[] = []
  let start = text.indexOf('{')
  for (let tries = 0; start !== -1 && tries < MAX_STARTS; tries++) {
    const end = closingBrace(text, start)
    const value = end === -1 ? undefined : parseJson(text.slice(start, end + 1))
    if (value !== undefined) found.push({ start, end, value })
    start = text.indexOf('{', value === undefined ? start + 1 : end + 1)
  }
  return found
}

/** The place of the brace that closes the one at `start`, or -1. Braces within JSON strings do not count. */
function closingBrace(text: string, start: number): number {
  let depth = 0
  let isInString = false
  for (let position = start; position < text.length; position++) {
    const character = text[position]
    if (isInString) {
      if (character === '\\') position += 1
      else if (character === '"') isInString = false
    } else if (character === '"') isInString = true
    else if (character === '{') depth += 1
    else if (character === '}') {
      depth -= 1
      if (depth === 0) return position
    }
  }
  return -1
}

/** The value of a JSON text; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
