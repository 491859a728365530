import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createElement, Fragment, type ReactNode } from 'react'
import { truncate } from '#src/client/limits.ts'
import { strings } from '#strings/activity.ts'
import { strings as ownStrings } from '#strings/own-activity.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import type { Activity } from '#web/api/service.ts'
import { isCustomName } from '#web/fields/cached-custom-field.ts'
import { cachedCompanyName, cachedPersonName } from '#web/fields/company-cache.ts'
import { cachedNotes } from '#web/fields/note-cache.ts'
import { formatNumber } from '#web/format/format.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import classes from './activity-sentence.module.css'
import { changePhrases } from './change-phrases.ts'
import { Person } from './person.tsx'
import { AboutLinks } from './record-links.tsx'
import { fieldsOfEntity, primarySentence, sentenceSlots, visibilitySentence } from './sentence-slots.ts'

interface ActivitySentenceProps {
  record: Activity
  /** The email address of the signed-in user. */
  me: string | undefined
  /** The number of other companies that the sentence covers. */
  others?: number
  /** Whether there are more of them than are loaded. */
  hasMore?: boolean
  /** The record whose page shows the sentence, which need not be named there. */
  own?: OwnRecord | undefined
}

export interface OwnRecord {
  type: 'company' | 'person' | 'deal'
  id: string
}

const MAX_NAME_LENGTH = 100
const MAX_ABOUT = 3

/** Slots that describe a single company. */
const SINGLE_COMPANY_SLOTS = new Set(['score', 'filled'])
const PLAIN_SLOTS = new Set([
  'type',
  'score',
  'stage',
  'counts',
  'size',
  'outcome',
  'filled',
  'changes',
  'link',
])

/** An event as a sentence with links: `Ada changed status from Active to Inactive for Nordlys Robotics`. */
export function ActivitySentence({ record, me, others = 0, hasMore = false, own }: ActivitySentenceProps) {
  const queryClient = useQueryClient()
  const { fields } = record.metadata
  const named = [...Object.keys(record.changes ?? {}), ...(Array.isArray(fields) ? fields.map(String) : [])]
  // For the labels of custom fields.
  useQuery({
    ...fieldQueries.fields(fieldsOfEntity(record.entity_type)),
    enabled: named.some(isCustomName),
  })
  const count = formatNumber(others)
  const changes = others === 0 ? changePhrases(record) : null
  const ownSentences = own && isOwn(record, own) ? ownStrings[own.type] : undefined
  const detailed =
    changes === null
      ? undefined
      : (ownSentences?.[`${record.activity_type} changes`] ?? strings.changeSentences[record.activity_type])
  const isReply =
    record.activity_type === 'note_created' &&
    cachedNotes(queryClient).some(({ id, parent_id }) => id === record.entity_id && parent_id !== null)
  const type = isReply ? 'note_replied' : record.activity_type
  const template =
    visibilitySentence(record) ??
    detailed ??
    primarySentence(record) ??
    ownSentences?.[type] ??
    strings.sentences[type] ??
    strings.otherSentence
  const slots = { ...sentenceSlots(record), changes: changes ?? '' }
  const render = (slot: string): ReactNode => {
    if (slot === 'who') return <Person email={record.user_email} me={me} startsSentence />
    if (slot === 'whose') return <Person email={record.user_email} me={me} startsSentence isPossessive />
    if (slot === 'by') return <Person email={record.user_email} me={me} />
    if (slot === 'what')
      return (
        <>
          <Entity record={record} />
          {others > 0 && strings.andMore(others, hasMore ? strings.atLeast(count) : count)}
        </>
      )
    if (slot === 'company') return <CompanyOf record={record} />
    if (slot === 'into') return <Survivor record={record} />
    if (slot === 'at') return <LinkedCompany record={record} />
    if (slot === 'deal') return <DealLink id={record.entity_id}>{strings.deal}</DealLink>
    if (slot === 'the_deal') return <DealLink id={record.entity_id}>{strings.theDeal}</DealLink>
    if (others > 0 && SINGLE_COMPANY_SLOTS.has(slot)) return ''
    const text = slots[slot as keyof typeof slots]
    return PLAIN_SLOTS.has(slot) ? text : <b style={{ fontWeight: 550 }}>{text}</b>
  }
  const parts = template.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : render(part)))
  return createElement(
    Fragment,
    null,
    ...parts,
    !own && <About key="about" record={record} />,
    <Via key="via" record={record} />,
  )
}

/** What a note, task, or file is about. */
function About({ record: { about } }: { record: Activity }) {
  if (!about?.length) return null
  const more = about.length - MAX_ABOUT
  return (
    <span style={{ color: 'var(--mantine-color-dimmed)' }}>
      {' · '}
      <AboutLinks about={about.slice(0, MAX_ABOUT)} />
      {more > 0 && strings.andMoreRecords(formatNumber(more))}
    </span>
  )
}

/** Whether a record is about the record of the page, or about a deal or a person of that company. */
const isOwn = ({ entity_type, entity_id, company_id }: Activity, { type, id }: OwnRecord): boolean =>
  entity_id === id || (type === 'company' && company_id === id && entity_type !== 'company')

/** What made the change, such as an import or an undo, unless the sentence already names it. */
function Via({ record: { activity_type, via } }: { record: Activity }) {
  const isPlain = /_(created|updated|deleted|stage_changed)$/.test(activity_type)
  const text = isPlain && via ? strings.vias[via] : undefined
  return text && <span style={{ color: 'var(--mantine-color-dimmed)' }}> · {text}</span>
}

const nameOf = ({ entity_name: name }: Activity): string | null =>
  truncate(name?.trim() ?? '', MAX_NAME_LENGTH) || null

/** The subject of a record, as a link. */
function Entity({ record }: { record: Activity }) {
  const { entity_type, entity_id } = record
  const name = nameOf(record) ?? strings.what[entity_type] ?? entity_id
  if (entity_type === 'dealflow') return <DealLink id={entity_id}>{name}</DealLink>
  if (entity_type === 'person')
    return (
      <ScreenLink to="/people/$id" params={{ id: entity_id }} inherit dir="auto" className={classes.link}>
        {name}
      </ScreenLink>
    )
  if (entity_type === 'note')
    return (
      <ScreenLink to="/notes/$id" params={{ id: entity_id }} inherit dir="auto" className={classes.link}>
        {name}
      </ScreenLink>
    )
  if (entity_type === 'file')
    return (
      <ScreenLink to="/files/$id" params={{ id: entity_id }} inherit dir="auto" className={classes.link}>
        {name}
      </ScreenLink>
    )
  if (entity_type === 'task')
    return (
      <ScreenLink to="/tasks" search={{ task: entity_id }} inherit dir="auto" className={classes.link}>
        {name}
      </ScreenLink>
    )
  if (entity_type === 'thesis')
    return (
      <ScreenLink to="/theses/$id" params={{ id: entity_id }} inherit dir="auto" className={classes.link}>
        {name}
      </ScreenLink>
    )
  if (entity_type === 'bulk_action')
    return (
      <ScreenLink to="/bulk-actions/$id" params={{ id: entity_id }} inherit className={classes.link}>
        {strings.actions[String(record.metadata.action_type)] ?? strings.bulkAction}
      </ScreenLink>
    )
  return <CompanyOf record={record} />
}

function CompanyOf({ record }: { record: Activity }) {
  const name = nameOf(record) ?? strings.aCompany
  if (!record.company_id) return <span dir="auto">{name}</span>
  return (
    <ScreenLink
      to="/companies/$id"
      params={{ id: record.company_id }}
      inherit
      dir="auto"
      className={classes.link}
    >
      {name}
    </ScreenLink>
  )
}

/** The company that a person was linked to. */
function LinkedCompany({ record: { company_id: id, company_name } }: { record: Activity }) {
  const queryClient = useQueryClient()
  if (id === null) return strings.aCompany
  const name = company_name ?? cachedCompanyName(queryClient, id)
  return (
    <ScreenLink to="/companies/$id" params={{ id }} inherit dir="auto" className={classes.link}>
      {truncate(name?.trim() || strings.aCompany, MAX_NAME_LENGTH)}
    </ScreenLink>
  )
}

/** The record that a record was merged into. */
function Survivor({ record: { entity_type, metadata } }: { record: Activity }) {
  const queryClient = useQueryClient()
  const id = typeof metadata.merged_into === 'string' ? metadata.merged_into : null
  const isPerson = entity_type === 'person'
  const other = isPerson ? strings.anotherPerson : strings.anotherCompany
  if (id === null) return other
  const name = (isPerson ? cachedPersonName : cachedCompanyName)(queryClient, id)
  return (
    <ScreenLink
      to={isPerson ? '/people/$id' : '/companies/$id'}
      params={{ id }}
      inherit
      dir="auto"
      className={classes.link}
    >
      {truncate(name ?? other, MAX_NAME_LENGTH)}
    </ScreenLink>
  )
}

function DealLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <ScreenLink to="/deals/$id" params={{ id }} inherit dir="auto" className={classes.link}>
      {children}
    </ScreenLink>
  )
}
