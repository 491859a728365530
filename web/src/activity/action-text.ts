import type { Client, CompletedAction, CustomFieldEntity } from '#src/client/client.ts'
import { strings } from '#strings/actions.ts'
import { strings as files } from '#strings/files.ts'
import { strings as notes } from '#strings/notes.ts'
import { strings as people } from '#strings/people.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import { deletedCompanies } from '#web/api/live/latest-changes.ts'
import { queries } from '#web/api/queries.ts'
import { queryClient } from '#web/api/query-client.ts'
import type { FileRecord, FinishedTask } from '#web/api/service.ts'
import { cachedCompanyName, cachedPersonName } from '#web/fields/company-cache.ts'
import { cachedNotes, noteName } from '#web/fields/note-cache.ts'
import { formatDate, formatMoment, formatWord } from '#web/format/format.ts'
import { fieldNames } from './sentence-slots.ts'

type Texts = { [K in keyof Client]?: (done: CompletedAction<K>) => string }

/** The names of the fields that a request sent; custom fields by their labels. */
function fieldsOf({ input }: CompletedAction, of: CustomFieldEntity): string {
  const { custom, ...fields } = (input.body ?? {}) as { custom?: object }
  const customNames = Object.keys(custom ?? {}).map((key) => `custom.${key}`)
  return fieldNames([...Object.keys(fields), ...customNames], of) ?? ''
}

/** The text of each operation's notice. Operations that are not listed show none. */
const TEXTS: Texts = {
  createCompany: ({ output: { data } }) => strings.created(data.name),
  updateCompany: (done) => strings.updated(fieldsOf(done, 'company'), done.output.data.name),
  updateCompanies: ({ output: { data } }) => strings.bulkUpdated(data.updated, data.unchanged),
  importCompanies: ({ output: { data } }) => strings.imported(data.created + data.updated),
  createDeal: ({ output: { data } }) => strings.dealCreated(data.company_name),
  updateDeal: (done) => {
    const { company_name, stage } = done.output.data
    const isMove = Object.keys(done.input.body ?? {}).includes('stage')
    return isMove
      ? strings.moved(company_name, stageLabel(stage))
      : strings.dealUpdated(fieldsOf(done, 'deal'), company_name)
  },
  updateDeals: ({ input, output: { data } }) => {
    const { stage } = (input.body as { changes: { stage?: string } }).changes
    return stage
      ? strings.dealsMoved(data.updated, stageLabel(stage))
      : strings.dealsUpdated(data.updated, data.unchanged)
  },
  createThesis: ({ output: { data } }) => strings.thesisCreated(data.code),
  updateThesis: ({ output: { data } }) => strings.thesisUpdated(data.code),
  deleteCompany: ({ input }) => strings.deleted(companyName(input.params?.id)),
  deleteCompanies: ({ input }) => strings.companiesDeleted(deletedCompanies(input.body)),
  deleteDeal: () => strings.deleted(strings.aDeal),
  deleteThesis: ({ input }) => strings.deleted(thesisTitle(input.params?.id)),
  createPerson: ({ output: { data } }) => strings.created(data.name),
  updatePerson: (done) => strings.updated(fieldsOf(done, 'person'), done.output.data.name),
  deletePerson: ({ input }) => strings.deleted(personName(input.params?.id)),
  linkPerson: ({ input: { params }, output: { data } }) =>
    isKnownLink(params)
      ? strings.linkChanged(personName(params?.person_id), data.name)
      : strings.linkSaved(personName(params?.person_id), data.name),
  unlinkPerson: ({ input: { params } }) =>
    strings.unlinked(
      personName(params?.person_id),
      cachedCompanyName(queryClient, params?.id ?? '') ?? strings.theCompany,
    ),
  createPeopleFromExecutives: ({ output: { data } }) =>
    `${people.madeOfExecutives(data.created, data.existing, data.skipped)}.`,
  createPeopleOfCompanies: ({ output: { data } }) =>
    `${people.madeOfExecutives(data.created, data.existing, data.skipped)}.`,
  createNote: ({ output: { data } }) => strings.noteSaved(noteName(data)),
  updateNote: ({ output: { data } }) => strings.noteSaved(noteName(data)),
  deleteNote: ({ input }) => strings.deleted(cachedNoteName(input.params?.id)),
  createTask: ({ output: { data } }) => strings.taskSaved(data.title),
  updateTask: ({ output: { data } }) => strings.taskSaved(data.title),
  finishTask: ({ output: { data } }) => [strings.taskFinished(data.title), ...nextTask(data)].join(' '),
  reopenTask: ({ output: { data } }) => strings.taskReopened(data.title),
  updateTasks: ({ input, output: { data } }) => {
    const { done } = (input.body as { changes: { done?: true } }).changes
    return (done ? strings.tasksFinished : strings.tasksUpdated)(data.changed)
  },
  deleteTasks: ({ input }) => strings.tasksDeleted((input.body as { ids: string[] }).ids.length),
  deleteTask: () => strings.deleted(strings.aTask),
  uploadFile: ({ output: { data } }) => (data.version > 1 ? files.newVersion : files.added)(data.name),
  uploadFileVersion: ({ output: { data } }) => files.newVersion(data.name),
  updateFile: ({ input, output: { data } }) => {
    const { visibility } = (input.body ?? {}) as { visibility?: 'team' | 'private' }
    if (!visibility) return files.renamed(data.name)
    return (visibility === 'private' ? files.nowPrivate : files.nowTeam)(data.name)
  },
  deleteFile: ({ input }) => strings.deleted(cachedFileName(input.params?.id)),
  mergeCompanies: ({ input, output: { data } }) =>
    strings.merged((input.body as { from: string[] }).from.length, data.company.name),
  mergePeople: ({ input, output: { data } }) =>
    strings.peopleMerged((input.body as { from: string[] }).from.length, data.person.name),
  restoreRecord: ({ output: { data } }) => strings.restored(data.restored),
  purgeRecord: () => strings.purged,
  renameTag: ({ input, output: { data } }) =>
    strings.tagRenamed(input.params?.name ?? '', data.name, data.updated),
  removeTag: ({ input }) => strings.tagRemoved(input.params?.name ?? ''),
  undoAction: ({ output: { data } }) => {
    const skipped = data.skipped.length + data.skipped_omitted
    return skipped > 0 ? strings.undonePartly(data.reverted, skipped) : strings.undone(data.reverted)
  },
}

/** The sentence that says what a request did, or null if it gets no notice. */
export const actionText = (done: CompletedAction): string | null =>
  (TEXTS[done.operation] as ((done: CompletedAction) => string) | undefined)?.(done) ?? null

/** When a repeating task is due next. */
function nextTask({ next_id, next_due_on, next_due_at }: FinishedTask): string[] {
  const due = next_due_at ? formatMoment(next_due_at) : next_due_on && formatDate(next_due_on)
  return next_id === null ? [] : [due ? strings.nextTaskDue(due) : strings.nextTask]
}

/** The label of a stage, if this tab knows it. */
const stageLabel = (key: string): string =>
  queryClient.getQueryData(fieldQueries.stageConfig().queryKey)?.stages.find((stage) => stage.key === key)
    ?.label ?? formatWord(key)

/** The name of a company that this tab has shown. */
const companyName = (id = ''): string =>
  queryClient.getQueryData(queries.company(id).queryKey)?.company.name ?? strings.aCompany

const thesisTitle = (id = ''): string =>
  queryClient.getQueryData(queries.thesis(id).queryKey)?.title ?? strings.aThesis

/** The name of a note that this tab has shown. */
function cachedNoteName(id = ''): string {
  const note = cachedNotes(queryClient).find((one) => one.id === id)
  return note ? noteName(note) : notes.kinds.note
}

/** The name of a file that this tab has shown. */
const cachedFileName = (id = ''): string =>
  queryClient
    .getQueriesData<{ data?: FileRecord[] } & Partial<FileRecord>>({ queryKey: ['files'] })
    .flatMap(([, data]) => (data?.id ? [data as FileRecord] : (data?.data ?? [])))
    .find((file) => file.id === id)?.name ?? files.aFile

/** The name of a person whom this tab has shown. */
const personName = (id = ''): string => cachedPersonName(queryClient, id) ?? strings.aPerson

/** Whether a page that this tab has shown has the link already. */
const isKnownLink = ({ id = '', person_id = '' }: Record<string, string> = {}): boolean =>
  queryClient
    .getQueryData(queries.person(person_id).queryKey)
    ?.companies.some(({ company_id }) => company_id === id) ??
  queryClient.getQueryData(queries.companyPeople(id).queryKey)?.data.some((one) => one.id === person_id) ??
  false
