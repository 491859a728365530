import { Alert, Group } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/files.ts'
import { queries } from '#web/api/queries.ts'
import type { FileRecord } from '#web/api/service.ts'
import { personName } from '#web/fields/people.ts'
import { Age } from '#web/ui/age.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import type { FileVersion } from '../file-version.ts'

/** Says that the page shows an earlier version, with a way back to the current one. */
export function VersionNotice({ file, earlier }: { file: FileRecord; earlier: FileVersion }) {
  const users = useQuery(queries.allUsers()).data ?? []
  const { version, uploaded_by, uploaded_at } = earlier
  return (
    <Alert
      color="yellow"
      mt="md"
      icon={<IconHistory aria-hidden />}
      title={strings.earlierVersion(version, file.versions)}
    >
      <Group gap="0.25rem 1rem" justify="space-between">
        <Facts
          facts={[
            uploaded_by && <bdi key="who">{personName(uploaded_by, users)}</bdi>,
            <Age key="when" timestamp={uploaded_at} span inherit />,
          ]}
        />
        <ScreenLink to="/files/$id" params={{ id: file.id }} size="sm" inherit>
          {strings.backToCurrent(file.version)}
        </ScreenLink>
      </Group>
    </Alert>
  )
}
