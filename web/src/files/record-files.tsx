import { ActionIcon, Button, Group, Menu, Text } from '@mantine/core'
import { IconDots, IconDownload, IconLock, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/files.ts'
import { fileQueries } from '#web/api/file-queries.ts'
import { useCan } from '#web/api/use-can.ts'
import { aboutName } from '#web/fields/about-name.ts'
import { useActions } from '#web/keyboard/actions.ts'
import type { AboutEntry } from '#web/notes/note-text.ts'
import { AnchoredMenu, type OverlayProps, overlayButton } from '#web/ui/anchored.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { Section } from '#web/ui/section.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { pickFiles } from './drop/dragged-files.ts'
import { useDropRecord } from './drop/drop-record.ts'
import { downloadLink } from './file-address.ts'
import classes from './file-card.module.css'
import { FileCard } from './file-card.tsx'
import { startUploads } from './uploads/uploads.ts'

const SHOWN = 8
/** The key for an upload. */
const ADD_FILE_KEY = 'u'

/** The records whose files can be saved together. */
const ARCHIVES: Partial<Record<AboutEntry['type'], string>> = {
  company: '/api/companies',
  deal: '/api/dealflow',
}

/** Adds files to a record: with a key, from the palette, and by dropping them anywhere on its page. */
export function useAddFiles(about: AboutEntry): (isPrivate?: boolean) => void {
  const mayWrite = useCan('write')
  useDropRecord(about)
  const add = (isPrivate = false) => pickFiles((files) => startUploads(files, { about: [about], isPrivate }))
  useActions([
    mayWrite && {
      ...{ id: 'add-file', label: strings.addFiles, group: strings.group },
      ...{ keys: [ADD_FILE_KEY], run: () => add() },
    },
  ])
  return add
}

interface RecordFilesProps {
  about: AboutEntry
  add: (isPrivate?: boolean) => void
}

/** The files of a record, newest first. */
export function RecordFiles({ about, add }: RecordFilesProps) {
  const { id } = about
  const mayWrite = useCan('write')
  const files = useQuery(fileQueries.files({ about: [id], limit: SHOWN }))
  const listed = files.data?.data ?? []
  const more = (files.data?.pagination.total ?? 0) - listed.length
  return (
    <Section
      title={strings.section}
      actions={
        <Group gap={6} className="print-hidden">
          {mayWrite && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => add()}
            >
              {strings.addFile}
            </Button>
          )}
          <PanelMenu about={about} add={mayWrite ? add : null} hasFiles={listed.length > 0} />
        </Group>
      }
    >
      {files.isPending && <SkeletonLines lines={2} />}
      {files.isError && !files.data && <ErrorState error={files.error} retry={() => files.refetch()} />}
      {files.isSuccess && listed.length === 0 && (
        <Text size="sm" c="dimmed">
          {strings.none} {mayWrite && <span className="needs-keyboard">{strings.noneHelp}</span>}
        </Text>
      )}
      {listed.length > 0 && (
        <ul className={classes.list}>
          {listed.map((file) => (
            <li key={file.id}>
              <FileCard file={file} recordId={id} />
            </li>
          ))}
        </ul>
      )}
      {more > 0 && (
        <ScreenLink to="/files" search={{ about: id }} size="sm">
          {strings.more(more)}
        </ScreenLink>
      )}
    </Section>
  )
}

interface PanelMenuProps {
  about: AboutEntry
  /** null: the user may not. */
  add: ((isPrivate: boolean) => void) | null
  hasFiles: boolean
}

function PanelMenu({ about, add, hasFiles }: PanelMenuProps) {
  const mayDownloadAll = useCan('export_unlimited')
  const path = ARCHIVES[about.type]
  const archive = mayDownloadAll && hasFiles && path ? `${path}/${about.id}/files/archive` : null
  if (!add && !archive) return null
  return (
    <PanelMenuButton add={add} archive={archive} name={aboutName(about)}>
      <ActionIcon variant="subtle" color="gray" size={28} aria-label={strings.moreOfPanel}>
        <IconDots size={16} aria-hidden />
      </ActionIcon>
    </PanelMenuButton>
  )
}

interface PanelItemsProps {
  add: ((isPrivate: boolean) => void) | null
  /** The address of all files as one; null: not for this record or user. */
  archive: string | null
  name: string
}

const PanelMenuButton = overlayButton(
  'menu',
  ({ add, archive, name, ...menu }: PanelItemsProps & OverlayProps) => (
    <AnchoredMenu {...menu} position="bottom-end" withinPortal>
      <Menu.Dropdown>
        {add && (
          <Menu.Item leftSection={<IconLock size={16} aria-hidden />} onClick={() => add(true)}>
            {strings.addPrivate}
          </Menu.Item>
        )}
        {archive && (
          <Menu.Item
            {...downloadLink(archive, strings.archiveName(name))}
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {strings.downloadAll}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </AnchoredMenu>
  ),
)
