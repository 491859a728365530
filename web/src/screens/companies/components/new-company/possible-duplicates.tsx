import { Alert, List, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/duplicates.ts'
import { queries } from '#web/api/queries.ts'
import { ScreenLink } from '#web/ui/link.tsx'

interface PossibleDuplicatesProps {
  name: string
  website: string
  country_code: string
  close: () => void
}

const DEBOUNCE_MS = 400
const MIN_NAME_LENGTH = 2
const MAX_SHOWN = 3

/** Warns while the user types a new company whose name or website already exists. */
export function PossibleDuplicates({ name, website, country_code, close }: PossibleDuplicatesProps) {
  const typed = { name: name.trim(), website: website.trim(), country_code }
  const [settled] = useDebouncedValue(JSON.stringify(typed), DEBOUNCE_MS)
  const query = JSON.parse(settled) as typeof typed
  const isLong = query.name.length >= MIN_NAME_LENGTH
  const isEnabled = isLong || query.website !== ''
  const check = useQuery({
    ...queries.duplicateCheck({
      ...(isLong && { name: query.name }),
      ...(query.website && { website: query.website }),
      ...(query.country_code && { country_code: query.country_code }),
    }),
    enabled: isEnabled,
  })
  if (!isEnabled || !check.data || check.isError || check.data.length === 0) return null
  return (
    <Alert color="yellow" role="status" title={strings.possibleTitle}>
      <List size="sm" spacing={4}>
        {check.data.slice(0, MAX_SHOWN).map(({ company, reasons }) => (
          <List.Item key={company.id}>
            <ScreenLink
              to="/companies/$id"
              params={{ id: company.id }}
              size="sm"
              c="inherit"
              underline="always"
              dir="auto"
              className="break-anywhere"
              onClick={close}
            >
              {company.name}
            </ScreenLink>
            <Text span size="sm">
              {' · '}
              {[company.hq_city, company.country, ...reasons.map((one) => strings.reasons[one])]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
