import { createElement, Fragment, type ReactNode } from 'react'
import { strings } from '#strings/activity.ts'
import type { Activity } from '#web/service/service.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { formatNumber } from '#web/words/format.ts'
import classes from './activity-sentence.module.css'
import { Person } from './person.tsx'
import { sentenceSlots } from './sentence-slots.ts'

interface ActivitySentenceProps {
  record: Activity
  /** The email address of the signed-in user. */
  me: string | undefined
  /** The number of other companies that the sentence covers. */
  others?: number
}

const MAX_NAME_LENGTH = 100

/** Slots that describe a single company. */
const SINGLE_COMPANY_SLOTS = new Set(['score', 'filled'])
const PLAIN_SLOTS = new Set(['type', 'score', 'stage', 'counts', 'size', 'outcome', 'filled'])

/** An event as a sentence with links: `Ada moved Nordlys Robotics from Initial to Meeting`. */
export function ActivitySentence({ record, me, others = 0 }: ActivitySentenceProps) {
  const template = strings.sentences[record.activity_type] ?? strings.otherSentence
  const slots = sentenceSlots(record)
  const render = (slot: string): ReactNode => {
    if (slot === 'who') return <Person email={record.user_email} me={me} startsSentence />
    if (slot === 'whose') return <Person email={record.user_email} me={me} startsSentence isPossessive />
    if (slot === 'by') return <Person email={record.user_email} me={me} />
    if (slot === 'what')
      return (
        <>
          <Entity record={record} />
          {others > 0 && strings.andMore(others, formatNumber(others))}
        </>
      )
    if (slot === 'company') return <CompanyOf record={record} />
    if (slot === 'deal') return <DealLink id={record.entity_id}>{strings.deal}</DealLink>
    if (others > 0 && SINGLE_COMPANY_SLOTS.has(slot)) return ''
    return PLAIN_SLOTS.has(slot) ? slots[slot] : <b style={{ fontWeight: 550 }}>{slots[slot]}</b>
  }
  const parts = template.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : render(part)))
  return createElement(Fragment, null, ...parts)
}

function nameOf({ entity_name: name }: Activity): string | null {
  const letters = [...(name?.trim() ?? '')]
  if (letters.length > MAX_NAME_LENGTH) return `${letters.slice(0, MAX_NAME_LENGTH).join('')}…`
  return letters.join('') || null
}

/** The subject of a record, as a link. */
function Entity({ record }: { record: Activity }) {
  const { entity_type, entity_id } = record
  const name = nameOf(record) ?? strings.what[entity_type] ?? entity_id
  if (entity_type === 'dealflow') return <DealLink id={entity_id}>{name}</DealLink>
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

function DealLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <ScreenLink to="/pipeline" search={{ deal: id }} inherit dir="auto" className={classes.link}>
      {children}
    </ScreenLink>
  )
}
