/** The cost of a model's answers. If the endpoint does not count tokens, four characters count as one. */
export interface TokenUsage {
  calls: number
  input_tokens: number
  output_tokens: number
}

export const noUsage = (): TokenUsage => ({ calls: 0, input_tokens: 0, output_tokens: 0 })

export function addUsage(sum: TokenUsage, { calls, input_tokens, output_tokens }: TokenUsage): void {
  sum.calls += calls
  sum.input_tokens += input_tokens
  sum.output_tokens += output_tokens
}

/** The `usage` of a response, as far as anything is known about it. */
export interface ReportedUsage {
  prompt_tokens?: unknown
  completion_tokens?: unknown
  total_tokens?: unknown
}

const CHARACTERS_PER_TOKEN = 4
/** No tokenizer makes more tokens than bytes of UTF-8. */
const MAX_TOKENS_PER_CHARACTER = 3
/** Templates of models add tokens to a prompt that no text of ours accounts for. */
const MAX_TEMPLATE_TOKENS = 2000
/** More than any model answers, its thoughts included. */
const MAX_OUTPUT_TOKENS = 500_000

/**
 * The tokens of one call. A count that is missing or that cannot be right is replaced with an estimate.
 * @param lengths in characters: of what was sent, and of what was received, with the thoughts
 */
export function countTokens(
  usage: ReportedUsage | null | undefined,
  lengths: { requested: number; answered: number },
): TokenUsage {
  const { requested, answered } = lengths
  const input = plausible(usage?.prompt_tokens, 1, requested * MAX_TOKENS_PER_CHARACTER + MAX_TEMPLATE_TOKENS)
  const output = plausible(usage?.completion_tokens, answered > 0 ? 1 : 0, MAX_OUTPUT_TOKENS)
  const input_tokens = input ?? Math.ceil(requested / CHARACTERS_PER_TOKEN)
  // Some endpoints count the thoughts in the total alone.
  const rest = plausible(usage?.total_tokens, input_tokens, input_tokens + MAX_OUTPUT_TOKENS)
  const counted = output ?? Math.ceil(answered / CHARACTERS_PER_TOKEN)
  const output_tokens =
    input !== undefined && rest !== undefined ? Math.max(counted, rest - input_tokens) : counted
  return { calls: 1, input_tokens, output_tokens }
}

function plausible(value: unknown, min: number, max: number): number | undefined {
  const isNumeric = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
  const count = isNumeric ? Math.round(Number(value)) : Number.NaN
  return count >= min && count <= max ? count : undefined
}

/** Fewer tokens than the smallest context of a model mean that the endpoint counts something else. */
const MIN_CONTEXT_TOKENS = 500
/** Texts of prompts have three to five characters per token; above these, part of the prompt was not read. */
const MAX_CHARACTERS_PER_TOKEN = 8
const MAX_CHARACTERS_PER_TOKEN_IN_FULL_CONTEXT = 5.5

/** Whether the endpoint has read less of a prompt than it was sent, as far as its count of tokens shows. */
export function isPromptCut(usage: ReportedUsage | null | undefined, requested: number): boolean {
  const tokens = Number(usage?.prompt_tokens)
  if (!(tokens >= MIN_CONTEXT_TOKENS)) return false
  const ratio = requested / tokens
  return (
    ratio > MAX_CHARACTERS_PER_TOKEN ||
    (ratio > MAX_CHARACTERS_PER_TOKEN_IN_FULL_CONTEXT && isFullContext(tokens))
  )
}

/** Whether this many tokens fill a context of a usual size, but for a token or two. */
const isFullContext = (tokens: number): boolean =>
  [512, 1000].some((size) => (tokens + 2) % size <= 4 && tokens + 2 >= size)
