import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { strings } from '#strings/files.ts'
import { AboutLinks } from '#web/activity/record-links.tsx'
import { queries } from '#web/api/queries.ts'
import type { FileRecord } from '#web/api/service.ts'
import { personName } from '#web/fields/people.ts'
import { Age } from '#web/ui/age.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { formatFileSize } from '#web/ui/file-size.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import classes from './file-card.module.css'
import { FileIcon } from './file-icon.tsx'
import { kindOf } from './file-kind.ts'
import { FileMenu } from './file-menu.tsx'
import { FileState, PrivateBadge } from './file-state.tsx'

interface FileCardProps {
  file: FileRecord
  /** The record whose page shows the file. */
  recordId?: string
  /** The words that found the file, which its page marks. */
  search?: string
  /** The name, with those words marked. */
  name?: ReactNode
  /** What was found in the file. */
  children?: ReactNode
}

/** A file in a list: what it is, who added it and when, whether its text is found, and its menu. */
export function FileCard({ file, recordId, search, name, children }: FileCardProps) {
  const users = useQuery(queries.allUsers()).data ?? []
  const { id, size, version, pages, visibility, uploaded_by } = file
  const others = file.about.filter((entry) => entry.id !== recordId)
  return (
    <div className={classes.card} data-file={id}>
      <FileIcon file={file} />
      <div className={classes.text}>
        <Group gap="0.125rem 0.5rem">
          <ScreenLink
            to="/files/$id"
            params={{ id }}
            search={search ? { search } : {}}
            data-record={id}
            inherit
            fw={550}
            c="inherit"
            dir="auto"
            className="break-anywhere"
          >
            {name ?? file.name}
          </ScreenLink>
          {visibility === 'private' && <PrivateBadge />}
        </Group>
        <div className={classes.facts}>
          <Facts
            facts={[
              strings.kinds[kindOf(file)],
              pages !== null && pages > 1 && strings.pages(pages),
              formatFileSize(size),
              version > 1 && strings.version(version),
            ]}
          />
          <Facts
            facts={[
              uploaded_by && <bdi key="who">{personName(uploaded_by, users)}</bdi>,
              <Age key="when" timestamp={file.uploaded_at} span inherit />,
              others.length > 0 && <AboutLinks key="about" about={others} />,
            ]}
          />
        </div>
        <FileState file={file} />
        {children}
      </div>
      <FileMenu file={file} />
    </div>
  )
}
