import { Badge, Group, Loader, Text, Tooltip } from '@mantine/core'
import { IconLock, IconShieldX } from '@tabler/icons-react'
import { strings } from '#strings/files.ts'
import type { FileRecord } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'

type FileState = Pick<
  FileRecord,
  'scan_state' | 'scan_detail' | 'text_state' | 'text_detail' | 'has_infected_version'
>

/** Whether the content can be opened: it is neither quarantined nor still to be scanned. */
export const canOpen = ({ scan_state }: Pick<FileRecord, 'scan_state'>): boolean =>
  scan_state === 'off' || scan_state === 'clean'

/** What is in progress or wrong with a file. Nothing if all is well. */
export function FileState({ file }: { file: FileState }) {
  const { scan_state, scan_detail } = file
  const mayDelete = useCan('delete')
  if (scan_state === 'infected')
    return (
      <Group gap={4} wrap="nowrap" align="flex-start" c="var(--mantine-color-error)">
        <IconShieldX size={14} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
        <Text size="xs" inherit fz="xs" className="break-anywhere">
          {scan_detail ? strings.quarantinedAs(scan_detail) : strings.quarantined}{' '}
          {mayDelete ? strings.quarantinedDelete : strings.quarantinedHelp}
        </Text>
      </Group>
    )
  return (
    <>
      <Progress file={file} />
      {file.has_infected_version && <Detail text={strings.earlierInfected} />}
    </>
  )
}

/** How far the scan and the reading of the text are, or why there is no text. */
function Progress({ file: { scan_state, scan_detail, text_state, text_detail } }: { file: FileState }) {
  if (scan_state === 'pending')
    return scan_detail ? <Detail text={scan_detail} /> : <Busy text={strings.checking} />
  if (text_state === 'pending') return <Busy text={strings.reading} />
  const text = text_detail ?? strings.textStates[text_state]
  return text && <Detail text={text} />
}

const Detail = ({ text }: { text: string }) => (
  <Text size="xs" c="dimmed" className="break-anywhere">
    {text}
  </Text>
)

const Busy = ({ text }: { text: string }) => (
  <Group gap={6} wrap="nowrap">
    <Loader size={11} color="gray" aria-hidden />
    <Text size="xs" c="dimmed">
      {text}
    </Text>
  </Group>
)

/** Says that only the user can see a file. */
export const PrivateBadge = () => (
  <Tooltip label={strings.privateTo}>
    <Badge color="orange" size="sm" leftSection={<IconLock size={11} aria-hidden />}>
      {strings.isPrivate}
    </Badge>
  </Tooltip>
)
