import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/files.ts'
import { queries } from '#web/api/queries.ts'
import type { FileRecord } from '#web/api/service.ts'
import { personName } from '#web/fields/people.ts'
import { kindOf } from '#web/files/file-kind.ts'
import { formatFileSize } from '#web/format/file-size.ts'
import { formatMoment } from '#web/format/format.ts'
import { AboutLinks } from '#web/notes/record-links.tsx'
import { DefinitionList } from '#web/ui/definition-list.tsx'
import { Section } from '#web/ui/section.tsx'

/** What is known about a file. */
export function FileProperties({ file }: { file: FileRecord }) {
  const users = useQuery(queries.allUsers()).data ?? []
  const { about, type, size, uploaded_by, created_at, visibility, sha256 } = file
  return (
    <Section title={strings.details}>
      <DefinitionList
        items={[
          [strings.about, <AboutLinks key="about" about={about} />],
          [strings.type, `${strings.kinds[kindOf(file)]} (${type})`],
          [strings.size, formatFileSize(size)],
          [strings.uploadedBy, uploaded_by && personName(uploaded_by, users)],
          [strings.uploadedAt, formatMoment(created_at)],
          [strings.visibility, visibility === 'private' ? strings.onlyYou : strings.everyone],
          [
            strings.checksum,
            <code key="sha256" className="break-anywhere">
              {sha256}
            </code>,
          ],
        ]}
      />
    </Section>
  )
}
