import { Group, Radio, Stack, Text } from '@mantine/core'
import { strings } from '#strings/bulk-actions.ts'
import type { BulkAction } from '#web/api/service.ts'
import { ACTION_ICONS } from '../action-labels.ts'
import classes from './action-type-field.module.css'

export type ActionType = BulkAction['action_type']

const TYPES = Object.keys(strings.types) as ActionType[]

interface ActionTypeFieldProps {
  value: ActionType
  change: (type: ActionType) => void
}

/** The action types as cards with a description. */
export function ActionTypeField({ value, change }: ActionTypeFieldProps) {
  return (
    <Radio.Group label={strings.question} value={value} onChange={(type) => change(type as ActionType)}>
      <Stack gap="xs" mt={6}>
        {TYPES.map((type) => {
          const Icon = ACTION_ICONS[type]
          return (
            <Radio.Card
              key={type}
              value={type}
              className={classes.card}
              px="sm"
              py="xs"
              aria-label={`${strings.types[type]}. ${strings.typesHelp[type]}`}
            >
              <Group wrap="nowrap" align="flex-start" gap="sm">
                <Radio.Indicator mt={2} />
                <Stack gap={2} style={{ flex: 1 }}>
                  <Text size="sm" fw={600}>
                    {strings.types[type]}
                  </Text>
                  <Text size="sm" className={classes.explained}>
                    {strings.typesHelp[type]}
                  </Text>
                </Stack>
                <Icon size={20} stroke={1.5} aria-hidden />
              </Group>
            </Radio.Card>
          )
        })}
      </Stack>
    </Radio.Group>
  )
}
