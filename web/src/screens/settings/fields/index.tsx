import { Button, Group, Text } from '@mantine/core'
import { IconForms, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { CustomField } from '#src/client/client.ts'
import { MAX_CUSTOM_FIELDS } from '#src/client/limits.ts'
import { strings } from '#strings/custom-fields.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import { useCan } from '#web/api/use-can.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { Page } from '#web/ui/page.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { SettingsNavigation } from '../components/settings-navigation.tsx'
import { DeleteFieldDialog } from './delete-field-dialog.tsx'
import { FieldDialog } from './field-dialog.tsx'
import { fieldsSearch } from './fields-search.ts'
import { FieldsTable } from './fields-table.tsx'
import { NewFieldDialog } from './new-field-dialog.tsx'

const route = getRouteApi('/shell/settings/fields')

type Opened = { kind: 'new' } | { kind: 'edit' | 'delete'; field: CustomField }

/** The custom fields of companies, deals, and people. */
export function FieldsScreen() {
  const { of: entity = 'company' } = route.useSearch()
  const navigate = route.useNavigate()
  const mayConfigure = useCan('configure')
  const fields = useQuery(fieldQueries.customFields(entity))
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  const count = fields.data?.length ?? 0
  const isFull = count >= MAX_CUSTOM_FIELDS
  const canCreate = fields.data !== undefined && !isFull
  const create = () => setOpened({ kind: 'new' })
  useActions([
    mayConfigure && {
      id: 'new-field',
      label: strings.create,
      group: keyboard.screen,
      run: create,
      disabled: !canCreate,
    },
  ])
  return (
    <Page
      title={strings.title}
      description={strings.description}
      actions={
        mayConfigure && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create} disabled={!canCreate}>
            {strings.create}
          </Button>
        )
      }
    >
      <SettingsNavigation />
      <Group gap="md">
        <SegmentedControl
          aria-label={strings.entities}
          value={entity}
          onChange={(value) => navigate({ search: fieldsSearch({ of: value }), replace: true })}
          data={[
            { value: 'company', label: strings.entity.company },
            { value: 'deal', label: strings.entity.deal },
            { value: 'person', label: strings.entity.person },
          ]}
        />
        <Text size="sm" c="dimmed" role="status">
          {fields.data &&
            (isFull ? strings.limitReached(MAX_CUSTOM_FIELDS) : strings.count(count, MAX_CUSTOM_FIELDS))}
        </Text>
      </Group>
      {!mayConfigure && (
        <Text size="sm" c="dimmed">
          {strings.readOnly}
        </Text>
      )}
      {fields.isPending && <SkeletonLines lines={8} height={24} />}
      {fields.isError && !fields.data && <ErrorState error={fields.error} retry={() => fields.refetch()} />}
      {fields.data && count === 0 && (
        <EmptyState icon={<IconForms aria-hidden />} title={strings.empty[entity]}>
          {strings.emptyHelp}
        </EmptyState>
      )}
      {fields.data && count > 0 && (
        <FieldsTable
          fields={fields.data}
          mayConfigure={mayConfigure}
          edit={(field) => setOpened({ kind: 'edit', field })}
          remove={(field) => setOpened({ kind: 'delete', field })}
        />
      )}
      {opened?.kind === 'new' && <NewFieldDialog entity={entity} close={close} />}
      {opened?.kind === 'edit' && <FieldDialog field={opened.field} close={close} />}
      {opened?.kind === 'delete' && <DeleteFieldDialog field={opened.field} close={close} />}
    </Page>
  )
}
