import { Code, Group, NativeSelect, Table, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import { MAX_STAGE_LABEL_LENGTH, OUTCOMES } from '#src/client/limits.ts'
import { strings } from '#strings/stages.ts'
import { formatNumber } from '#web/format/format.ts'
import { IconButton } from '../components/field-options.tsx'
import { moved } from '../components/option-drafts.ts'
import { type StageDraft, type StageErrors, withLabel } from './stage-drafts.ts'

const OPEN = ''
const OUTCOME_OPTIONS = [
  { value: OPEN, label: strings.outcomes.open },
  ...OUTCOMES.map((value) => ({ value, label: strings.outcomes[value] })),
]

interface StageRowProps {
  stages: StageDraft[]
  index: number
  errors: StageErrors
  /** The number of deals in the stage. */
  deals: number
  onChange: (stages: StageDraft[]) => void
  isEditable: boolean
}

/** One stage of the table. */
export function StageRow({ stages, index, errors, deals, onChange, isEditable }: StageRowProps) {
  const stage = stages[index] as StageDraft
  const row = index + 1
  const name = stage.label || strings.newStage
  const change = (changes: Partial<StageDraft>) =>
    onChange(stages.toSpliced(index, 1, { ...stage, ...changes }))
  const shared = { size: 'xs', disabled: !isEditable } as const
  return (
    <Table.Tr>
      <Table.Td>
        <TextInput
          {...shared}
          aria-label={strings.labelOf(row)}
          value={stage.label}
          onChange={(event) => onChange(withLabel(stages, index, event.currentTarget.value))}
          error={errors.label}
          maxLength={MAX_STAGE_LABEL_LENGTH}
          dir="auto"
          autoFocus={stage.isNew && stage.label === ''}
        />
      </Table.Td>
      <Table.Td>
        {stage.isNew ? (
          <TextInput
            {...shared}
            aria-label={strings.keyOf(row)}
            value={stage.key}
            onChange={(event) => change({ key: event.currentTarget.value, hasOwnKey: true })}
            error={errors.key}
            maxLength={64}
            spellCheck={false}
          />
        ) : (
          <Code className="break-anywhere">{stage.key}</Code>
        )}
      </Table.Td>
      <Table.Td>
        <TextInput
          {...shared}
          aria-label={strings.probabilityOf(row)}
          value={stage.probability}
          onChange={(event) => change({ probability: event.currentTarget.value })}
          error={errors.probability}
          inputMode="numeric"
          rightSection={<Text size="xs">%</Text>}
          maxLength={3}
          w={90}
        />
      </Table.Td>
      <Table.Td>
        <NativeSelect
          {...shared}
          aria-label={strings.outcomeOf(row)}
          value={stage.outcome ?? OPEN}
          onChange={(event) =>
            change({ outcome: OUTCOMES.find((outcome) => outcome === event.currentTarget.value) ?? null })
          }
          data={OUTCOME_OPTIONS}
        />
      </Table.Td>
      <Table.Td>{formatNumber(deals)}</Table.Td>
      {isEditable && (
        <Table.Td>
          <Group gap={2} wrap="nowrap">
            <IconButton
              label={strings.moveUp(name)}
              isDisabled={index === 0}
              act={() => onChange(moved(stages, index, -1))}
            >
              <IconArrowUp size={14} aria-hidden />
            </IconButton>
            <IconButton
              label={strings.moveDown(name)}
              isDisabled={index === stages.length - 1}
              act={() => onChange(moved(stages, index, 1))}
            >
              <IconArrowDown size={14} aria-hidden />
            </IconButton>
            <IconButton
              label={strings.remove(name)}
              isDisabled={stages.length === 1}
              act={() => onChange(stages.toSpliced(index, 1))}
            >
              <IconTrash size={14} aria-hidden />
            </IconButton>
          </Group>
        </Table.Td>
      )}
    </Table.Tr>
  )
}
