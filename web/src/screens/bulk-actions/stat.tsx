import { Stack, Text } from '@mantine/core'

interface StatProps {
  label: string
  value: string
  /** Whether it is bad news. */
  isBad?: boolean
}

/** A number with what it counts. */
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
