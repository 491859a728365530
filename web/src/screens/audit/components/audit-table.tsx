import { ActionIcon, Code, Table, Text, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useId } from 'react'
import { strings } from '#strings/audit.ts'
import { strings as general } from '#strings/general.ts'
import type { AuditEntry } from '#web/api/service.ts'
import { formatMoment } from '#web/format/format.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { DefinitionList } from '#web/ui/definition-list.tsx'

const COLUMNS = [
  { label: <VisuallyHidden>{strings.details}</VisuallyHidden>, width: 48 },
  { label: strings.time, width: 210 },
  { label: strings.event, width: 160 },
  { label: strings.user, width: 200 },
  { label: strings.address, width: 125 },
  { label: strings.details },
]

/** Entries of the audit log. A button shows the details of each. */
export function AuditTable({ entries, isStale }: { entries: AuditEntry[]; isStale: boolean }) {
  return (
    <DataTable label={strings.title} minWidth={1000} columns={COLUMNS} isStale={isStale}>
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
    </DataTable>
  )
}

function Entry({ entry }: { entry: AuditEntry }) {
  const [isOpen, { toggle }] = useDisclosure(false)
  const id = useId()
  const { at, user_email, address, details } = entry
  const event = strings.events[entry.event]
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <>
      <Table.Tr>
        <Table.Td>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={strings.showDetails(event, formatMoment(at))}
            aria-expanded={isOpen}
            {...(isOpen && { 'aria-controls': id })}
            onClick={toggle}
          >
            <Chevron size={16} aria-hidden />
          </ActionIcon>
        </Table.Td>
        <Table.Td>
          <time dateTime={at}>{formatMoment(at)}</time>
        </Table.Td>
        <Table.Td>{event}</Table.Td>
        <Table.Td className="break-anywhere">{user_email ?? strings.unknownUser}</Table.Td>
        <Table.Td className="break-anywhere">{address ?? general.none}</Table.Td>
        <Table.Td>
          <Text size="xs" c="dimmed" lineClamp={1} className="break-anywhere">
            {summaryOf(details)}
          </Text>
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr id={id}>
          <Table.Td />
          <Table.Td colSpan={COLUMNS.length - 1}>
            <DefinitionList
              items={[
                [strings.time, at],
                [strings.browser, entry.browser],
                [strings.requestId, entry.request_id],
                [strings.entry, entry.id],
                [strings.details, <Details key="details" details={details} />],
              ]}
            />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  )
}

function Details({ details }: { details: AuditEntry['details'] }) {
  if (Object.keys(details).length === 0) return general.none
  return (
    <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {JSON.stringify(details, null, 2)}
    </Code>
  )
}

/** The values of the details in one line. */
const summaryOf = (details: AuditEntry['details']): string =>
  Object.values(details)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(' · ')
