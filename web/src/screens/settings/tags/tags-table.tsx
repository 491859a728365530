import { ActionIcon, Menu, Table, Text, VisuallyHidden } from '@mantine/core'
import { IconArrowMerge, IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { strings } from '#strings/tags.ts'
import { useCan } from '#web/api/use-can.ts'
import { formatNumber } from '#web/format/format.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import type { OpenedTag, TagCount } from './tag-dialogs.tsx'

const COLUMNS = [
  { label: strings.tag },
  { label: strings.companies, width: 120 },
  { label: strings.people, width: 120 },
]
const ACTIONS = { label: <VisuallyHidden>{strings.actions}</VisuallyHidden>, width: 60 }

interface TagsTableProps {
  tags: TagCount[]
  open: (opened: OpenedTag) => void
}

/** Tags with their number of companies and people. */
export function TagsTable({ tags, open }: TagsTableProps) {
  const mayWrite = useCan('write')
  return (
    <DataTable label={strings.title} minWidth={320} columns={mayWrite ? [...COLUMNS, ACTIONS] : COLUMNS}>
      {tags.map((tag) => (
        <Table.Tr key={tag.name}>
          <Table.Td>
            <Text size="sm" fw={500} className="break-anywhere">
              <bdi>{tag.name}</bdi>
            </Text>
          </Table.Td>
          <Table.Td style={{ fontVariantNumeric: 'tabular-nums' }}>{formatNumber(tag.companies)}</Table.Td>
          <Table.Td style={{ fontVariantNumeric: 'tabular-nums' }}>{formatNumber(tag.people)}</Table.Td>
          {mayWrite && (
            <Table.Td>
              <Menu position="bottom-end">
                <Menu.Target>
                  <ActionIcon variant="subtle" color="gray" aria-label={strings.actionsFor(tag.name)}>
                    <IconDots size={16} aria-hidden />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item
                    leftSection={<IconPencil size={16} aria-hidden />}
                    onClick={() => open({ kind: 'rename', tag })}
                  >
                    {strings.rename}
                  </Menu.Item>
                  <Menu.Item
                    leftSection={<IconArrowMerge size={16} aria-hidden />}
                    onClick={() => open({ kind: 'merge', tag })}
                  >
                    {strings.merge}
                  </Menu.Item>
                  <Menu.Item
                    leftSection={<IconTrash size={16} aria-hidden />}
                    onClick={() => open({ kind: 'delete', tag })}
                  >
                    {strings.delete}
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </DataTable>
  )
}
