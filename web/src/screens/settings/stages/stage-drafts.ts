import type { Client } from '#src/client/client.ts'
import { freeKey } from '#src/client/limits.ts'
import { strings } from '#strings/stages.ts'

export type StageConfig = Awaited<ReturnType<Client['getStageConfig']>>['data']
type Stage = StageConfig['stages'][number]

/** A stage being edited. */
export interface StageDraft {
  /** Identifies the row. */
  row: number
  label: string
  key: string
  /** Whether the key can still be chosen. */
  isNew: boolean
  /** Whether the user typed the key, so that it no longer follows the label. */
  hasOwnKey: boolean
  /** As typed. */
  probability: string
  outcome: Stage['outcome']
}

let rows = 0
const KEY = /^[a-z][a-z0-9_]{0,63}$/

export const stageDrafts = ({ stages }: StageConfig): StageDraft[] =>
  stages.map(({ key, label, default_probability, outcome }) => ({
    row: ++rows,
    label,
    key,
    isNew: false,
    hasOwnKey: true,
    probability: default_probability === null ? '' : String(default_probability),
    outcome,
  }))

export const newStage = (): StageDraft => ({
  row: ++rows,
  label: '',
  key: '',
  isNew: true,
  hasOwnKey: false,
  probability: '',
  outcome: null,
})

/** The stages with another label for one. The key of a new stage follows the label until the user types one. */
export function withLabel(stages: readonly StageDraft[], index: number, label: string): StageDraft[] {
  const stage = stages[index] as StageDraft
  const taken = new Set(stages.filter((other) => other !== stage).map(({ key }) => key))
  const follows = stage.isNew && !stage.hasOwnKey
  const key = follows ? (label.trim() ? freeKey(label, taken) : '') : stage.key
  return stages.toSpliced(index, 1, { ...stage, label, key })
}

export interface StageErrors {
  label?: string
  key?: string
  probability?: string
}

/** The errors of each stage. */
export const stageErrors = (stages: readonly StageDraft[]): StageErrors[] =>
  stages.map((stage) => {
    const isTaken = stages.some((other) => other !== stage && other.key === stage.key)
    const probability = Number(stage.probability)
    const isValid = Number.isInteger(probability) && probability >= 0 && probability <= 100
    return {
      ...(stage.label.trim() === '' && { label: strings.labelRequired }),
      ...(!KEY.test(stage.key) ? { key: strings.keyInvalid } : isTaken && { key: strings.keyTaken }),
      ...(stage.probability.trim() !== '' && !isValid && { probability: strings.probabilityInvalid }),
    }
  })

/** The stages to send. */
export const enteredStages = (drafts: readonly StageDraft[]): Stage[] =>
  drafts.map(({ key, label, probability, outcome }) => ({
    key,
    label: label.trim(),
    default_probability: probability.trim() === '' ? null : Number(probability),
    outcome,
  }))
