import { sql } from 'kysely'
import { type Links, targetsIn } from '#src/features/links/index.ts'
import { filterCallers, findDisabled, requireUsers } from '#src/features/users/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import { normalizeSpaces } from '#src/platform/schema/normalize-input.ts'
import { type Calendar, daysFromToday, repeatDay } from './next-due.ts'
import { DUE_YEARS, type TaskPatch } from './schema.ts'
import type { StoredTask } from './store.ts'
import type { TaskFields } from './write-changes.ts'

/** The calendar of a user, or that of the workspace for null. */
export type ReadCalendar = (db: Db, email: string | null) => Promise<Calendar>

/** @param workspaceTimeZone of users who have chosen none */
export const calendarReader =
  (workspaceTimeZone: string): ReadCalendar =>
  async (db, email) => ({
    zone: await filterCallers(db, workspaceTimeZone)(email === null ? null : { email }).readTimeZone(),
    now: Date.now(),
  })

/** Fields that were sent, besides links. */
type SentFields = Omit<TaskPatch, 'about'>

/**
 * The new values of a task as they are stored.
 * @param before the locked task; of a new one, its defaults
 * @param links what the task will be linked to
 * @throws InvalidInput that names the field that is wrong
 */
export async function checkedFields(
  transaction: Db,
  before: StoredTask,
  sent: SentFields,
  links: Links,
  readCalendar: ReadCalendar,
): Promise<TaskFields> {
  await requireAssignee(transaction, before, sent.assignee_email)
  const fields = { ...normalized(sent), ...sentDue(sent) }
  const after = { ...before, ...fields }
  const problem = dueProblem(after, links)
  if (problem) throw new InvalidInput(problem)
  const calendar = await readCalendar(transaction, after.assignee_email)
  if (after.unless_contact_days !== null && after.due_on === null)
    Object.assign(fields, { due_on: daysFromToday(calendar, after.unless_contact_days) })
  return { ...fields, ...keptOfRule(before, { ...after, ...fields }, calendar) }
}

function normalized({ title, due_on: _day, due_at: _time, ...sent }: SentFields) {
  return { ...sent, ...(title !== undefined && { title: normalizeSpaces(title) }) }
}

/** A day replaces a time, and the other way around. @throws InvalidInput for both, and for a year that is not allowed */
function sentDue({ due_on, due_at }: SentFields): Partial<Pick<StoredTask, 'due_on' | 'due_at'>> {
  if (due_on && due_at)
    throw new InvalidInput('due_on and due_at must not both be set: a task is due on a day or at a time.')
  for (const [field, value] of Object.entries({ due_on, due_at })) if (value) requireYear(field, value)
  if (due_on) return { due_on, due_at: null }
  if (due_at) return { due_on: null, due_at: new Date(due_at).toISOString() }
  return { ...(due_on === null && { due_on }), ...(due_at === null && { due_at }) }
}

/** @throws InvalidInput for a date that no one means */
export function requireYear(field: string, value: string): void {
  const year = new Date(value).getUTCFullYear()
  if (year < DUE_YEARS.from || year > DUE_YEARS.until)
    throw new InvalidInput(
      `${field} must be in the years ${DUE_YEARS.from} to ${DUE_YEARS.until}, but is ${value}.`,
    )
}

/** What is wrong with how a task is due or repeated, as a sentence; undefined: nothing. */
export function dueProblem(
  { due_on, due_at, repeat, unless_contact_days }: Omit<StoredTask, 'links'>,
  links: Links,
): string | undefined {
  if (repeat && !due_on && !due_at) return 'repeat needs due_on or due_at: the first time it is due.'
  if (unless_contact_days === null) return undefined
  if (repeat)
    return 'unless_contact_days must not be set with repeat: such a reminder repeats by itself, after each contact.'
  if (due_at) return 'unless_contact_days must not be set with due_at: it needs a day, due_on.'
  if (!targetsIn(links, 'about').some(({ type }) => type !== 'thesis'))
    return 'unless_contact_days needs a company, a deal, or a person in about, whose contacts count.'
  return undefined
}

/** A change of the date changes the rule too. A change of the assignee can change the time zone. */
function keptOfRule(before: StoredTask, after: StoredTask, { zone }: Calendar): TaskFields {
  const fields = ['due_on', 'due_at', 'repeat'] as const
  const isSame = fields.every((field) => before[field] === after[field])
  if (isSame) return before.assignee_email === after.assignee_email ? {} : { repeat_time: null }
  return { repeat_day: repeatDay(after, zone), repeat_time: null }
}

/**
 * Keeps a new assignee from being disabled until the transaction ends. Called before tasks are locked: disabling locks the user
 * before the tasks of theirs.
 */
export async function keepAssignee(transaction: Db, email: string | null | undefined): Promise<void> {
  if (email) await sql`select from users where email = ${email} for share`.execute(transaction)
}

/** @throws InvalidInput for a new assignee who is no user, or is disabled */
export async function requireAssignee(
  transaction: Db,
  before: Pick<StoredTask, 'assignee_email'>,
  email: string | null | undefined,
): Promise<void> {
  if (!email || email === before.assignee_email) return
  await requireUsers(transaction, [['assignee_email', email]])
  if ((await findDisabled(transaction, [email])).has(email))
    throw new InvalidInput(`assignee_email must be a user who is not disabled, but ${email} is.`)
}
