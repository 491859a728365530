import { Alert, Button, Divider, Group, List, Paper, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle, IconFileSpreadsheet } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { strings } from '#strings/import.ts'
import { isFocusFree } from '#web/browser/focus.ts'
import { formatFileSize } from '#web/ui/file-size.ts'
import type { Reading } from '../../settings.ts'
import type { ImportedFile } from '../report/report.ts'
import { ReadingChoices } from './reading-choices.tsx'

interface FileCardProps {
  file: File
  reset: () => void
  isLocked: boolean
  /** How the service has read the file; undefined until then. */
  read: ImportedFile | undefined
  reading: Reading
  change: (reading: Reading) => void
}

/** The chosen file, how the service has read it, and other ways to read it. */
export function FileCard({ file, reset, isLocked, read, reading, change }: FileCardProps) {
  const title = useRef<HTMLParagraphElement>(null)
  // The file input, which had the focus, is gone.
  useEffect(() => {
    if (isFocusFree()) title.current?.focus({ preventScroll: true })
  }, [])
  return (
    <Paper withBorder px="md" py="sm" component="section" aria-label={strings.file}>
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <Group gap="sm" wrap="nowrap" style={{ minWidth: 0, flex: '1 1 12rem' }}>
            <IconFileSpreadsheet size={24} stroke={1.5} aria-hidden style={{ flexShrink: 0 }} />
            <Stack gap={0} style={{ minWidth: 0 }}>
              <Text
                ref={title}
                tabIndex={-1}
                fw={600}
                size="sm"
                className="break-anywhere"
                lineClamp={2}
                dir="auto"
                style={{ outline: 'none' }}
              >
                {file.name}
              </Text>
              <Text size="xs" c="dimmed">
                {formatFileSize(file.size)}
              </Text>
            </Stack>
          </Group>
          {!isLocked && (
            <Button variant="default" size="xs" onClick={reset}>
              {strings.chooseAnother}
            </Button>
          )}
        </Group>
        {read && !isLocked && <FileReading read={read} reading={reading} change={change} />}
      </Stack>
    </Paper>
  )
}

interface FileReadingProps {
  read: ImportedFile
  reading: Reading
  change: (reading: Reading) => void
}

/** One line if the service is certain how the file is to be read. */
function FileReading({ read, reading, change }: FileReadingProps) {
  const [isOpen, { toggle }] = useDisclosure(isUncertain(read))
  return (
    <>
      <Divider />
      <Group justify="space-between" gap="xs">
        <Text size="sm" className="break-anywhere" style={{ flex: '1 1 12rem' }}>
          {summaryOf(read)}
        </Text>
        <Button
          variant="subtle"
          size="compact-sm"
          aria-expanded={isOpen}
          aria-label={isOpen ? strings.hideReading : strings.changeReading}
          onClick={toggle}
        >
          {isOpen ? strings.hide : strings.change}
        </Button>
      </Group>
      {read.warnings.length > 0 && (
        <Alert
          role="status"
          color="yellow"
          icon={<IconAlertTriangle aria-hidden />}
          p="xs"
          className="break-anywhere"
        >
          {read.warnings.length === 1 ? (
            read.warnings[0]
          ) : (
            <List size="sm" spacing={4}>
              {read.warnings.map((warning) => (
                <List.Item key={warning}>{warning}</List.Item>
              ))}
            </List>
          )}
        </Alert>
      )}
      {isOpen && <ReadingChoices read={read} reading={reading} change={change} />}
    </>
  )
}

const isUncertain = ({ is_encoding_certain, header_row, sheets, kind }: ImportedFile): boolean =>
  (kind === 'text' && !is_encoding_certain) || header_row === 0 || sheets.length > 1

function summaryOf({ kind, encoding, delimiter, sheet, header_row }: ImportedFile): string {
  const parts = [
    kind === 'workbook'
      ? strings.workbook
      : encoding && strings.encodingIs(strings.encodings[encoding] ?? encoding),
    sheet && strings.sheetIs(sheet),
    delimiter && strings.separatedBy[delimiter],
    header_row === 0 ? strings.noHeader : strings.headerIs(header_row),
  ]
  return parts.filter(Boolean).join(' · ')
}
