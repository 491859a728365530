import { Paper, Portal, Text } from '@mantine/core'
import { IconLock, IconUpload } from '@tabler/icons-react'
import { lazy, useCallback, useState } from 'react'
import { strings } from '#strings/files.ts'
import { useCan } from '#web/api/use-can.ts'
import { useActions } from '#web/keyboard/actions.ts'
import type { AboutEntry } from '#web/notes/note-text.ts'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { targetName } from '../target-name.ts'
import { startUploads } from '../uploads/uploads.ts'
import { pickFiles } from './dragged-files.ts'
import classes from './file-drop.module.css'
import { type DropPlace, PRIVATE_ZONE, useFileDrag } from './use-file-drag.ts'

const ChooseRecord = lazy(() => import('./choose-record.tsx'))

interface Chosen {
  files: File[]
  about: AboutEntry[]
}

/**
 * Takes files that are dropped anywhere, and offers to pick some. On the page of a record they are added to it; elsewhere,
 * a dialog asks which record they belong to.
 */
export function FileDrop() {
  const mayWrite = useCan('write')
  const [chosen, choose] = useState<Chosen | null>(null)
  const close = () => choose(null)
  const drop = useCallback((files: File[], { record, isPage, isPrivate }: DropPlace) => {
    const about = record ? [record] : []
    if (isPage) startUploads(files, { about, isPrivate })
    else choose({ files, about })
  }, [])
  const place = useFileDrag(mayWrite, drop)
  useActions(
    [
      mayWrite && {
        ...{ id: 'add-file', label: strings.addFiles, group: strings.group },
        run: () => pickFiles((files) => choose({ files, about: [] })),
      },
    ],
    'shell',
  )
  return (
    <>
      {place && (
        <Portal>
          {place.isPage && place.record ? (
            <PageOverlay name={targetName(place.record)} isPrivate={place.isPrivate} />
          ) : (
            <Hint record={place.record} />
          )}
        </Portal>
      )}
      {chosen && (
        <LazyDialog close={close}>
          <ChooseRecord {...chosen} close={close} />
        </LazyDialog>
      )}
    </>
  )
}

/** Covers the page of a record, and names the record. */
const PageOverlay = ({ name, isPrivate }: { name: string; isPrivate: boolean }) => (
  <div className={classes.overlay} data-drop-overlay>
    <div className={classes.zone} data-active={!isPrivate || undefined}>
      <IconUpload size={36} stroke={1.5} aria-hidden />
      <Text fw={600} size="lg" className="break-anywhere" dir="auto">
        {strings.dropOn(name)}
      </Text>
    </div>
    <div className={classes.privateZone} data-active={isPrivate || undefined} {...PRIVATE_ZONE}>
      <IconLock size={18} stroke={1.7} aria-hidden />
      <Text fw={500}>{strings.dropPrivate}</Text>
    </div>
  </div>
)

/** Says on other screens what happens to the files. */
const Hint = ({ record }: { record: AboutEntry | null }) => (
  <Paper className={classes.hint} shadow="md" withBorder data-drop-overlay>
    <IconUpload size={20} stroke={1.7} aria-hidden />
    <div>
      <Text fw={600} size="sm" className="break-anywhere" dir="auto">
        {record ? strings.dropOn(targetName(record)) : strings.dropAnywhere}
      </Text>
      {!record && (
        <Text size="xs" c="dimmed">
          {strings.dropAnywhereHelp}
        </Text>
      )}
    </div>
  </Paper>
)
