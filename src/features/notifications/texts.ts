import type { NotificationKind } from './schema.ts'

/** What a sentence is made of. */
export interface Told {
  kind: NotificationKind
  /** The name of the user who did it; null: unknown. */
  actor: string | null
  /** The name of the record that it opens, never of a private note. */
  subject: string | null
  /** The names of the records that the subject is about. */
  about: readonly string[]
  count: number
  details: Readonly<Record<string, unknown>>
}

/** The names of stages, by their keys. */
export type StageLabels = ReadonlyMap<string, string>

const NOTES: Record<string, string> = {
  note: 'wrote a note',
  call: 'recorded a call',
  meeting: 'recorded a meeting',
  email: 'recorded an email',
}

const BULK_ACTIONS: Record<string, string> = {
  generate_embeddings: 'search index run',
  llm_score: 'scoring',
  enrich_profile: 'profile run',
}

const RECORDS: Record<string, readonly [one: string, many: string]> = {
  company: ['company', 'companies'],
  deal: ['deal', 'deals'],
  person: ['person', 'people'],
  thesis: ['thesis', 'theses'],
  note: ['note', 'notes'],
}

const counted = (count: number, [one, many]: readonly [one: string, many: string]) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

/** `one`, `one and other`, `one and 2 more`; empty without names. */
function listed(names: readonly string[]): string {
  const [first, second, ...more] = names
  if (first === undefined) return ''
  if (second === undefined) return first
  return more.length === 0 ? `${first} and ${second}` : `${first} and ${more.length + 1} more`
}

const about = ({ about: names }: Told): string => (names.length === 0 ? '' : ` about ${listed(names)}`)

/** A task by its title, with the records that the title does not name. */
function task({ subject, about: names }: Told): string {
  const title = subject ?? 'a task'
  const unnamed = names.filter((name) => !title.toLowerCase().includes(name.toLowerCase()))
  return unnamed.length === 0 ? title : `${title} (${listed(unnamed)})`
}

/** One plain sentence for each kind. */
const SENTENCES: Record<NotificationKind, (told: Told, stages: StageLabels) => string> = {
  mentioned: (told) =>
    told.count === 1
      ? `${who(told)} mentioned you in a note${about(told)}`
      : `${who(told)} mentioned you in ${counted(told.count, ['note', 'notes'])}`,
  assigned: (told) =>
    told.count === 1
      ? `${who(told)} assigned you a task: ${task(told)}`
      : `${who(told)} assigned you ${counted(told.count, ['task', 'tasks'])}`,
  task_due: (told) => `Your task is due: ${task(told)}`,
  task_overdue: (told) => `Your task is overdue: ${task(told)}`,
  task_returned: (told) => {
    const previous = told.details.previous_name ?? told.details.previous_assignee ?? 'A colleague'
    return told.count === 1
      ? `${previous} no longer has access, so this task is yours: ${task(told)}`
      : `${previous} no longer has access, so ${counted(told.count, ['task is', 'tasks are'])} yours`
  },
  deal_moved: (told, stages) => {
    if (told.count > 1) return `${who(told)} moved ${counted(told.count, ['deal', 'deals'])}`
    const [from, to] = [told.details.from, told.details.to].map(
      (stage) => stages.get(String(stage)) ?? String(stage),
    )
    return `${who(told)} moved the deal of ${told.subject} from ${from} to ${to}`
  },
  vote_asked: (told) =>
    told.count === 1
      ? `${who(told)} asked for your vote on ${told.subject}`
      : `${who(told)} asked for your vote on ${counted(told.count, ['decision', 'decisions'])}`,
  note_added: (told) => {
    if (told.count > 1) return `${who(told)} wrote ${counted(told.count, ['note', 'notes'])}`
    if (told.details.is_reply) return `${who(told)} replied to a note${about(told)}`
    return `${who(told)} ${NOTES[String(told.details.kind)] ?? NOTES.note}${about(told)}`
  },
  file_infected: (told) =>
    `${told.subject ?? 'A file that you uploaded'}${about(told)} is infected, and in quarantine`,
  view_has_new: ({ subject, count, details }) =>
    `${count.toLocaleString('en-US')} new ${recordWord(String(details.entity), count)} in your view ${subject}`,
  import_ended: ({ subject, details }) => {
    const what = `Your import of ${subject ?? recordWord(String(details.type), 2)}`
    return details.state === 'completed' ? `${what} is complete` : `${what} was interrupted`
  },
  bulk_action_ended: ({ details }) => {
    const companies = counted(Number(details.total_companies ?? 0), RECORDS.company as [string, string])
    const what = `Your ${BULK_ACTIONS[String(details.action_type)] ?? 'AI run'} of ${companies}`
    return `${what} ${details.status === 'completed' ? 'is complete' : details.status === 'failed' ? 'failed' : 'was canceled'}`
  },
}

const recordWord = (type: string, count: number): string =>
  (RECORDS[type] ?? ['record', 'records'])[count === 1 ? 0 : 1] as string

const who = ({ actor }: Told): string => actor ?? 'Someone'

/** The sentence of a notification. */
export const sentence = (told: Told, stages: StageLabels): string => SENTENCES[told.kind](told, stages)
