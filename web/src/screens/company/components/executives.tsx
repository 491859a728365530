import { ActionIcon, Alert, Button, Table, Text, VisuallyHidden } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { truncate } from '#src/client/limits.ts'
import { strings } from '#strings/company.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { useCan } from '#web/api/use-can.ts'
import { useFocusWhenClosed } from '#web/browser/focus.ts'
import { EditableField } from '#web/editing/editable-field.tsx'
import { Section } from '#web/ui/section.tsx'
import type { CompanyRecord } from '../company-fields.ts'
import { isPerson, type Person, type PersonKey, useExecutives } from '../hooks/use-executives.ts'
import { asText, isRecord } from '../type-guards.ts'
import { AddExecutive } from './add-executive.tsx'
import { JsonValue } from './profile/json-value.tsx'

const displayName = (entry: unknown): string =>
  isRecord(entry) ? (asText(entry.name) ?? JSON.stringify(entry)) : String(entry)

/** The executives, which can be edited, added, and removed. Entries of unknown shape are shown as they are. */
export function Executives({ company }: { company: CompanyRecord }) {
  const [isAdding, setIsAdding] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const mayWrite = useCan('write')
  const isList = company.executives === null || Array.isArray(company.executives)
  const entries: unknown[] = Array.isArray(company.executives) ? company.executives : []
  const executives = useExecutives(company)
  const keys = executives.keysOf(entries)

  const draftKey = (entry: Person, key: PersonKey) =>
    `company ${company.id} executive ${JSON.stringify(entry)} ${key}`
  const remove = async (row: number) => {
    setError(null)
    addButton.current?.focus()
    try {
      await executives.remove(row, entries[row])
    } catch (reason) {
      setError(errorMessage(reason))
    }
  }
  const add = async (person: { name: string; title: string | null }) => {
    await executives.add(person)
    setIsAdding(false)
  }
  useFocusWhenClosed(isAdding, addButton)

  return (
    <Section
      title={strings.executives}
      actions={
        isList &&
        mayWrite && (
          <Button
            ref={addButton}
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setIsAdding(true)}
          >
            {strings.addExecutive}
          </Button>
        )
      }
    >
      {error && (
        <Alert color="red" role="alert" withCloseButton onClose={() => setError(null)}>
          {error}
        </Alert>
      )}
      {!isList && (
        <>
          <Text size="sm" c="dimmed">
            {strings.notAList}
          </Text>
          <JsonValue value={company.executives} />
        </>
      )}
      {isList && entries.length === 0 && !isAdding && (
        <Text size="sm" c="dimmed">
          {strings.noExecutives}
        </Text>
      )}
      {entries.length > 0 && (
        <Table layout="fixed" verticalSpacing={2}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{strings.personName}</Table.Th>
              <Table.Th>{strings.personTitle}</Table.Th>
              {mayWrite && (
                <Table.Th w={48}>
                  <VisuallyHidden>{strings.remove}</VisuallyHidden>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {entries.map((entry, row) => (
              <Table.Tr key={keys[row]}>
                {isPerson(entry) ? (
                  <>
                    <Table.Td>
                      <EditableField
                        label={strings.executiveName(row + 1)}
                        hideLabel
                        editor={{ kind: 'text', maxLength: 300 }}
                        value={entry.name}
                        draftKey={draftKey(entry, 'name')}
                        check={(text) => (text === '' ? strings.nameRequired : null)}
                        save={executives.put(row, entry, 'name')}
                      />
                    </Table.Td>
                    <Table.Td>
                      <EditableField
                        label={strings.executiveTitle(row + 1)}
                        hideLabel
                        editor={{ kind: 'text', maxLength: 300 }}
                        value={asText(entry.title) ?? ''}
                        draftKey={draftKey(entry, 'title')}
                        save={executives.put(row, entry, 'title')}
                      />
                    </Table.Td>
                  </>
                ) : (
                  <Table.Td colSpan={2}>
                    <Text size="sm" dir="auto" lineClamp={6} className="break-anywhere">
                      {typeof entry === 'string' ? entry : JSON.stringify(entry)}
                    </Text>
                    <Text size="xs" c="dimmed">
                      {strings.unexpectedEntry}
                    </Text>
                  </Table.Td>
                )}
                {mayWrite && (
                  <Table.Td>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={strings.removeExecutive(truncate(displayName(entry), 80))}
                      onClick={() => remove(row)}
                    >
                      <IconTrash size={16} aria-hidden />
                    </ActionIcon>
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {isAdding && (
        <AddExecutive
          draftKey={`company ${company.id} new executive`}
          add={add}
          cancel={() => setIsAdding(false)}
        />
      )}
    </Section>
  )
}
