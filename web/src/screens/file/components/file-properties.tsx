import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { strings } from '#strings/files.ts'
import { strings as general } from '#strings/general.ts'
import { AboutLinks } from '#web/activity/record-links.tsx'
import { queries } from '#web/api/queries.ts'
import type { FileRecord } from '#web/api/service.ts'
import { personName } from '#web/fields/people.ts'
import { kindOf } from '#web/files/file-kind.ts'
import { formatMoment } from '#web/format/format.ts'
import { formatFileSize } from '#web/ui/file-size.ts'
import { Section } from '#web/ui/section.tsx'
import classes from './file-properties.module.css'

/** What is known about a file. */
export function FileProperties({ file }: { file: FileRecord }) {
  const users = useQuery(queries.allUsers()).data ?? []
  const { about, type, size, uploaded_by, created_at, visibility, sha256 } = file
  const items: Items = [
    [strings.about, <AboutLinks key="about" about={about} />],
    [
      strings.type,
      <span key="type" title={type}>
        {strings.kinds[kindOf(file)]}
      </span>,
    ],
    [strings.size, formatFileSize(size)],
    [strings.uploadedBy, uploaded_by && personName(uploaded_by, users)],
    [strings.uploadedAt, formatMoment(created_at)],
    [strings.visibility, visibility === 'private' ? strings.onlyYou : strings.everyone],
    [strings.checksum, <code key="checksum">{sha256}</code>],
  ]
  return (
    <Section title={strings.details}>
      <PropertyList items={items} />
    </Section>
  )
}

type Items = readonly (readonly [name: string, value: ReactNode])[]

/** Names and values in two columns, of which the first is narrow. */
export const PropertyList = ({ items }: { items: Items }) => (
  <dl className={classes.list}>
    {items.map(([name, value]) => (
      <Fragment key={name}>
        <dt>{name}</dt>
        <dd dir="auto">{value ?? general.none}</dd>
      </Fragment>
    ))}
  </dl>
)
