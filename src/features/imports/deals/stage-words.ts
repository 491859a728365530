import type { StageConfig } from '#src/features/deals/index.ts'
import { printable } from '#src/platform/errors.ts'
import { truncate } from '#src/platform/truncate.ts'
import type { Reading } from '../cells/reading.ts'
import { isWord, wordIn } from '../cells/statuses.ts'
import { normalizedName } from '../columns/normalized-name.ts'
import { MAX_STAGE_WORDS, type StageWord } from '../record-schema.ts'

type Stage = StageConfig['stages'][number]

const MAX_VALUE_LENGTH = 200

const NO_WORD = 'stage must be a word in Latin letters of up to 64 characters. Choose a stage for it.'

/** What words of other tools mean. The first rule that fits a word, and for which there is a stage, counts. */
const MEANINGS: readonly (readonly [words: RegExp, isMeant: (stage: Stage) => boolean])[] = [
  [
    /^(?:we_)?(?:passe?d?|lost|reject(?:ed)?|declin(?:e|ed)|dead|archived?|abandoned|disqualified|turned_down|not_a_fit|not_interested|no_fit|no_go|withdrawn|abgelehnt|absage|verloren|perdu|refuse|perdido|descartado|perso)(?:_|$)|_(?:lost|passed|rejected|declined|verloren|perdu|perdido)$|^closed_?lost/,
    ({ outcome }) => outcome === 'lost',
  ],
  [
    /^(?:won|invest(?:ed|ment_made|iert)|portfolio|funded|signed|done|completed?|gewonnen|gagne|ganado|ganho|vinto)(?:_|$)|_(?:won|invested|funded|gewonnen|gagne|ganado|ganho)$|^closed_?won|^(?:deal_)?closed$/,
    ({ outcome }) => outcome === 'won',
  ],
  [/term_?sheet|(?:^|_)(?:offer|negotiat|contract|closing|legal|signing)/, ({ key }) => /term/.test(key)],
  [
    /(?:^|_)(?:dd|diligence|deep_dive|evaluat|analysis|reference|investment_committee|ic(?:_|$))/,
    ({ key }) => /diligence|(?:^|_)dd(?:_|$)/.test(key),
  ],
  [
    /meet|(?:^|_)(?:call|intro|pitch|appointment|presentation|demo|contacted|in_contact|engaged|conversation|kennenlernen)/,
    ({ key }) => /meet/.test(key),
  ],
  [
    /^(?:new|lead|leads|inbox|inbound|sourc|screen|backlog|to_|first_look|review|triage|qualif|prospect|identified|watch|neu)/,
    ({ key, outcome }) => outcome === null && key !== '',
  ],
]

/** Maps the stages in a file to those that are configured. */
export class StageWords {
  readonly #stages: readonly Stage[]
  /** The stages of words, by what identifies them. */
  readonly #known: ReadonlyMap<string, string>
  readonly #chosen: ReadonlyMap<string, { value: string; stage: string }>
  readonly #found = new Map<string, StageWord>()

  /** @param mapping the stages that the user has chosen for words of the file */
  constructor({ stages }: Pick<StageConfig, 'stages'>, mapping: Readonly<Record<string, string>>) {
    this.#stages = stages
    const spellings = ({ key, label }: Stage) => [compact(label), wordIn(label), compact(key), key]
    this.#known = new Map(
      stages.flatMap((stage) =>
        spellings(stage).flatMap((word) => (word === '' ? [] : [[word, stage.key] as const])),
      ),
    )
    this.#chosen = new Map(
      Object.entries(mapping).map(([value, stage]) => [normalizedName(value), { value, stage }]),
    )
  }

  /** Whether a deal in the stage is won or lost; null: it is open. */
  outcomeOf = (stage: string): Stage['outcome'] =>
    this.#stages.find(({ key }) => key === stage)?.outcome ?? null

  /** The stage of a cell. Counts those that are not configured, and those that the user has chosen. */
  read(text: string): Reading<string> {
    const folded = normalizedName(text)
    const chosen = this.#chosen.get(folded)?.stage
    const word = wordIn(text)
    const known = this.#known.get(word) ?? this.#known.get(compact(text))
    if (chosen === undefined && known !== undefined) return { value: known }
    const stage = chosen ?? (isWord(word) ? word : null)
    const found = this.#found.get(folded)
    if (found) found.rows += 1
    else
      this.#found.set(folded, {
        ...{ value: printable(truncate(text, MAX_VALUE_LENGTH)), rows: 1, stage },
        suggestion: this.#suggest(word),
      })
    return stage === null ? { error: NO_WORD } : { value: stage }
  }

  /** The stages of the file as a report shows them, the most frequent first; the choices that no row has come last. */
  get report(): { stages: StageWord[]; stages_omitted: number } {
    const unused = [...this.#chosen]
      .filter(([folded]) => !this.#found.has(folded))
      .map(([, { value, stage }]) => ({ value, rows: 0, stage, suggestion: null }))
    const all = [...[...this.#found.values()].sort((one, other) => other.rows - one.rows), ...unused]
    return {
      stages: all.slice(0, MAX_STAGE_WORDS),
      stages_omitted: Math.max(0, all.length - MAX_STAGE_WORDS),
    }
  }

  #suggest(word: string): string | null {
    for (const [words, isMeant] of MEANINGS) {
      const meant = words.test(word) ? this.#stages.find(isMeant) : undefined
      if (meant) return meant.key
    }
    // A word in common, such as "Partner meeting" and "Meeting".
    const parts = new Set(word.split('_').filter((part) => part.length > 2))
    const similar = this.#stages.find(({ key, label }) =>
      [...key.split('_'), ...wordIn(label).split('_')].some((part) => parts.has(part)),
    )
    return similar?.key ?? null
  }
}

/** HubSpot writes "closedwon". */
const compact = (text: string): string => wordIn(text).replaceAll('_', '')
