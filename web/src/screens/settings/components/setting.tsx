import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

/** A titled group of settings. */
export function SettingGroup({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <Paper withBorder p={{ base: 'md', lg: 'lg' }} component="section" aria-labelledby={id}>
      <Stack gap="md">
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  )
}

interface SettingProps {
  label: string
  description?: ReactNode
  /** The id of the control that the label belongs to. */
  labelFor?: string
  /** Renders the control with the ids of its label and description. */
  children: (ids: { label: string; description: string }) => ReactNode
}

/** A setting: text on the left, its control on the right or below. */
export function Setting({ label, description, labelFor, children }: SettingProps) {
  const id = useId()
  const ids = { label: `${id}label`, description: `${id}description` }
  return (
    <Group justify="space-between" gap="sm" align="center">
      <div style={{ flex: '1 1 16rem', minWidth: 0 }}>
        <Text size="sm" fw={550} id={ids.label}>
          {labelFor ? <label htmlFor={labelFor}>{label}</label> : label}
        </Text>
        <Text size="sm" c="dimmed" component="div" id={ids.description}>
          {description}
        </Text>
      </div>
      {children(ids)}
    </Group>
  )
}
