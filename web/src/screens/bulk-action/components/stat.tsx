import { Stack, Text } from '@mantine/core'

interface StatProps {
  label: string
  value: string
  /** Shows the value in red. */
  isBad?: boolean
}

/** A number with a label. */
export function Stat({ label, value, isBad = false }: StatProps) {
  const isWords = /\p{L}{3}/u.test(value)
  return (
    <Stack gap={2}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text
        size={isWords ? 'sm' : 'xl'}
        fw={isWords ? 500 : 650}
        lh={1.3}
        c={isBad ? 'var(--mantine-color-error)' : undefined}
        style={{ fontVariantNumeric: 'tabular-nums' }}
      >
        {value}
      </Text>
    </Stack>
  )
}
