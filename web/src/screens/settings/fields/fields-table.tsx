import { ActionIcon, Badge, Code, Group, Menu, Table, Text, VisuallyHidden } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconArchive, IconArchiveOff, IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CustomField } from '#src/client/client.ts'
import { strings } from '#strings/custom-fields.ts'
import { strings as types } from '#strings/fields.ts'
import { strings as general } from '#strings/general.ts'
import { service } from '#web/api/service.ts'
import { DataTable } from '#web/ui/data-table.tsx'

const COLUMNS = [
  { label: strings.label },
  { label: strings.type, width: 140 },
  { label: strings.options, width: 240 },
  { label: strings.key, width: 180 },
]
const ACTIONS = { label: <VisuallyHidden>{strings.actions}</VisuallyHidden>, width: 60 }

interface FieldsTableProps {
  fields: CustomField[]
  mayConfigure: boolean
  edit: (field: CustomField) => void
  remove: (field: CustomField) => void
}

/** Custom fields, archived ones last. */
export function FieldsTable({ fields, mayConfigure, edit, remove }: FieldsTableProps) {
  const sorted = [...fields.filter(({ archived }) => !archived), ...fields.filter(({ archived }) => archived)]
  return (
    <DataTable label={strings.table} minWidth={760} columns={mayConfigure ? [...COLUMNS, ACTIONS] : COLUMNS}>
      {sorted.map((field) => (
        <Table.Tr key={field.id}>
          <Table.Td>
            <Group gap="xs">
              <Text size="sm" fw={600} className="break-anywhere" c={field.archived ? 'dimmed' : undefined}>
                <bdi>{field.label}</bdi>
              </Text>
              {field.required && <Tag>{strings.required}</Tag>}
              {field.archived && <Tag>{strings.archived}</Tag>}
            </Group>
          </Table.Td>
          <Table.Td>
            {types.types[field.type]}
            {field.currency && ` (${field.currency})`}
          </Table.Td>
          <Table.Td>
            <Text size="sm" c="dimmed" lineClamp={2} className="break-anywhere">
              {field.options.length > 0 ? field.options.map(({ label }) => label).join(', ') : general.none}
            </Text>
          </Table.Td>
          <Table.Td>
            <Code className="break-anywhere">{field.key}</Code>
          </Table.Td>
          {mayConfigure && (
            <Table.Td>
              <FieldMenu field={field} edit={() => edit(field)} remove={() => remove(field)} />
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </DataTable>
  )
}

const Tag = ({ children }: { children: string }) => (
  <Badge variant="default" size="sm" radius="sm" tt="none" fw={500}>
    {children}
  </Badge>
)

interface FieldMenuProps {
  field: CustomField
  edit: () => void
  remove: () => void
}

/** Only archived fields can be deleted. */
function FieldMenu({ field, edit, remove }: FieldMenuProps) {
  const queryClient = useQueryClient()
  const { id, label, archived } = field
  const archive = useMutation({
    mutationFn: () => service.updateField({ params: { id }, body: { archived: !archived } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['fields'] })
      notifications.show({
        message: archived ? strings.unarchivedNow(label) : strings.archivedNow(label),
        color: 'teal',
      })
    },
  })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={strings.actionsFor(label)}
          loading={archive.isPending}
        >
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={edit}>
          {strings.edit}
        </Menu.Item>
        <Menu.Item
          leftSection={
            archived ? <IconArchiveOff size={16} aria-hidden /> : <IconArchive size={16} aria-hidden />
          }
          onClick={() => archive.mutate()}
        >
          {archived ? strings.unarchive : strings.archive}
        </Menu.Item>
        {archived && (
          <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={remove}>
            {strings.delete}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
