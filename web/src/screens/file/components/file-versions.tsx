import { ActionIcon, Badge, Group, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/files.ts'
import { fileQueries } from '#web/api/file-queries.ts'
import { queries } from '#web/api/queries.ts'
import type { FileRecord } from '#web/api/service.ts'
import { personName } from '#web/fields/people.ts'
import { contentAddress, downloadLink } from '#web/files/file-address.ts'
import classes from '#web/files/file-card.module.css'
import { canOpen } from '#web/files/file-state.tsx'
import { Age } from '#web/ui/age.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { formatFileSize } from '#web/ui/file-size.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { Section } from '#web/ui/section.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'

/** The versions of a file, newest first. Each can be opened and saved. */
export function FileVersions({ file, shown }: { file: FileRecord; shown: number }) {
  const users = useQuery(queries.allUsers()).data ?? []
  const versions = useQuery(fileQueries.versions(file.id))
  return (
    <Section title={strings.versions}>
      {versions.isPending && <SkeletonLines lines={file.versions} />}
      {versions.isError && !versions.data && (
        <ErrorState error={versions.error} retry={() => versions.refetch()} />
      )}
      <ol className={classes.list} reversed>
        {versions.data?.map((one) => (
          <li key={one.version}>
            <Group justify="space-between" wrap="nowrap" gap="xs" align="flex-start">
              <div>
                <Group gap={6}>
                  {one.version === shown ? (
                    <Text size="sm" fw={650} aria-current="page">
                      {strings.version(one.version)}
                    </Text>
                  ) : (
                    <ScreenLink
                      to="/files/$id"
                      params={{ id: file.id }}
                      search={one.version === file.version ? {} : { version: one.version }}
                      size="sm"
                      fw={550}
                    >
                      {strings.version(one.version)}
                    </ScreenLink>
                  )}
                  {one.version === file.version && <Badge size="sm">{strings.current}</Badge>}
                </Group>
                <div className={classes.facts}>
                  <Facts
                    facts={[
                      formatFileSize(one.size),
                      one.uploaded_by && <bdi key="who">{personName(one.uploaded_by, users)}</bdi>,
                      <Age key="when" timestamp={one.uploaded_at} span inherit />,
                    ]}
                  />
                </div>
                {one.scan_state === 'infected' && (
                  <Text size="xs" c="var(--mantine-color-error)">
                    {strings.quarantined}
                  </Text>
                )}
              </div>
              {canOpen(one) && (
                <ActionIcon
                  {...downloadLink(contentAddress(file.id, { version: one.version }), file.name)}
                  variant="subtle"
                  color="gray"
                  size={28}
                  aria-label={strings.downloadVersion(one.version)}
                >
                  <IconDownload size={16} aria-hidden />
                </ActionIcon>
              )}
            </Group>
          </li>
        ))}
      </ol>
    </Section>
  )
}
