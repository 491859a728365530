import { Button, Stack, Table, Text, Title } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import { strings } from '#strings/files.ts'
import type { FileRecord } from '#web/api/service.ts'
import { attachmentAddress, downloadLink } from '#web/files/file-address.ts'
import { canOpen } from '#web/files/file-state.tsx'
import { FileText } from '#web/files/preview/file-text.tsx'
import { formatMoment } from '#web/format/format.ts'
import { formatFileSize } from '#web/ui/file-size.ts'
import { Section } from '#web/ui/section.tsx'
import { PropertyList } from './file-properties.tsx'

type Details = NonNullable<FileRecord['details']>
type EmailDetails = Extract<Details, { kind: 'email' }>
type ArchiveDetails = Extract<Details, { kind: 'archive' }>

interface EmailContentProps {
  file: FileRecord
  email: EmailDetails
  page: number
  goTo: (page: number) => void
  words: readonly string[]
}

/** The text of an email without its header and its attachments, which search finds with it and the page shows on its own. */
function bodyOf(text: string, { subject, from, to, attachments }: EmailDetails): string {
  const header = [subject, from, to.join(', ')].filter((line) => line !== null).join('\n')
  const names = attachments.map(({ name }) => name).join('\n')
  const rest = text.startsWith(header) ? text.slice(header.length) : text
  return (rest.endsWith(names) ? rest.slice(0, rest.length - names.length) : rest).trim()
}

/** An email: who wrote it to whom and when, its text, and its attachments. */
export function EmailContent({ file, email, page, goTo, words }: EmailContentProps) {
  const { subject, from, to, date, attachments } = email
  return (
    <Stack gap="md">
      <Section title={subject || strings.noSubject}>
        <PropertyList
          items={[
            [strings.from, from],
            [strings.to, to.length > 0 ? to.join(', ') : null],
            [strings.date, date && formatMoment(date)],
          ]}
        />
      </Section>
      <FileText {...{ file, page, goTo, words }} textOf={(text) => bodyOf(text, email)} />
      {attachments.length > 0 && (
        <Section title={strings.attachments}>
          <Stack gap={6} align="flex-start">
            {attachments.map(({ name, size }, index) => (
              <Button
                // biome-ignore lint/suspicious/noArrayIndexKey: attachments are identified by position
                key={index}
                {...(canOpen(file) && downloadLink(attachmentAddress(file.id, index), name))}
                disabled={!canOpen(file)}
                variant="default"
                size="compact-md"
                fw={400}
                maw="100%"
                leftSection={<IconPaperclip size={14} aria-hidden />}
                aria-label={strings.attachment(name)}
              >
                <bdi>{name}</bdi>
                <Text span inherit c="dimmed" ms={6}>
                  {formatFileSize(size)}
                </Text>
              </Button>
            ))}
          </Stack>
        </Section>
      )}
    </Stack>
  )
}

/** The list of the files in an archive. */
export function ArchiveEntries({ archive: { entries, total } }: { archive: ArchiveDetails }) {
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        {strings.inArchive}
      </Title>
      <Text size="sm" c="dimmed">
        {entries.length < total ? strings.entriesShown(entries.length, total) : strings.entries(total)}
      </Text>
      <Table verticalSpacing={6} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{strings.name}</Table.Th>
            <Table.Th w={120} ta="right">
              {strings.size}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map(({ name, size }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat
            <Table.Tr key={index}>
              <Table.Td className="break-anywhere" dir="auto">
                {name}
              </Table.Td>
              <Table.Td ta="right">{formatFileSize(size)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  )
}
