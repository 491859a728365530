import { useQuery } from '@tanstack/react-query'
import { strings as files } from '#strings/files.ts'
import { strings } from '#strings/timeline.ts'
import { Person } from '#web/activity/person.tsx'
import { AboutLinks } from '#web/activity/record-links.tsx'
import { queries } from '#web/api/queries.ts'
import type { FileRecord, TimelineEntry } from '#web/api/service.ts'
import { FileIcon } from '#web/files/file-icon.tsx'
import { kindOf } from '#web/files/file-kind.ts'
import { FileMenu } from '#web/files/file-menu.tsx'
import { FileState, PrivateBadge } from '#web/files/file-state.tsx'
import { Age } from '#web/ui/age.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { formatFileSize } from '#web/ui/file-size.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import classes from './timeline.module.css'

interface FileEntryProps {
  entry: TimelineEntry
  file: FileRecord
  /** The record whose page shows the entry. */
  recordId: string
}

/** The upload of a version of a file, as short as a change. The current version also has the menu of the file. */
export function FileEntry({ entry, file, recordId }: FileEntryProps) {
  const { data: me } = useQuery(queries.me())
  const { file_version: version = file.version, user_email, at } = entry
  const isCurrent = version === file.version
  const others = file.about.filter(({ id }) => id !== recordId)
  return (
    <li className={classes.change} data-file={file.id}>
      <FileIcon file={file} size={28} />
      <div className={classes.sentence}>
        <Person email={user_email} me={me?.email} startsSentence />{' '}
        {version > 1 ? strings.addedVersion(version) : strings.added}{' '}
        <ScreenLink
          to="/files/$id"
          params={{ id: file.id }}
          search={isCurrent ? {} : { version }}
          inherit
          fw={550}
          c="inherit"
          dir="auto"
          className="break-anywhere"
        >
          {file.name}
        </ScreenLink>{' '}
        {isCurrent && file.visibility === 'private' && <PrivateBadge />}
        {isCurrent && (
          <div className={classes.facts}>
            <Facts
              facts={[
                files.kinds[kindOf(file)],
                file.pages !== null && file.pages > 1 && files.pages(file.pages),
                formatFileSize(file.size),
                others.length > 0 && <AboutLinks key="about" about={others} />,
              ]}
            />
            <FileState file={file} />
          </div>
        )}
      </div>
      <div className={classes.side} data-menu={isCurrent || undefined}>
        <Age timestamp={at} size="xs" c="dimmed" />
        {isCurrent && <FileMenu file={file} />}
      </div>
    </li>
  )
}
