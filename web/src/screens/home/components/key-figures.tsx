import { Group, Paper, SimpleGrid, Skeleton, Text } from '@mantine/core'
import { IconBuildingFactory2, IconBuildingSkyscraper, IconBulb, IconLayoutKanban } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/home.ts'
import { queries } from '#web/api/queries.ts'
import { formatNumber, formatPercent } from '#web/format/format.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import classes from './key-figures.module.css'

/** The height of a value and its note, in pixels. */
const HEIGHT = 51

/** The totals, each linked to what it counts. */
export function KeyFigures() {
  const stats = useQuery(queries.stats())
  if (stats.isError && !stats.data) return <ErrorState error={stats.error} retry={() => stats.refetch()} />
  const { companies_total, companies_active, dealflow_active, theses_active } = stats.data ?? {}
  const share = companies_total && companies_active !== undefined ? companies_active / companies_total : null
  const figures = [
    {
      link: { to: '/companies' },
      label: strings.totalCompanies,
      value: companies_total,
      note: strings.beingTracked,
      Icon: IconBuildingFactory2,
    },
    {
      link: { to: '/companies', search: { status: 'active' } },
      label: strings.companiesActive,
      value: companies_active,
      note: share === null ? '' : strings.ofAll(formatPercent(share)),
      Icon: IconBuildingSkyscraper,
    },
    {
      link: { to: '/pipeline', search: { status: 'active' } },
      label: strings.dealsActive,
      value: dealflow_active,
      note: strings.inPipeline,
      Icon: IconLayoutKanban,
    },
    {
      link: { to: '/theses' },
      label: strings.thesesActive,
      value: theses_active,
      note: strings.beingFollowed,
      Icon: IconBulb,
    },
  ] as const
  return (
    <SimpleGrid
      cols={{ base: 2, md: 4 }}
      spacing={{ base: 'xs', sm: 'md' }}
      component="section"
      aria-label={strings.figures}
    >
      {figures.map(({ link, label, value, note, Icon }) => (
        <ScreenLink key={label} {...link} underline="never" c="inherit">
          <Paper withBorder p={{ base: 'sm', sm: 'md' }} className={classes.card} component="span" h="100%">
            <Group component="span" justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
              <Text span size="sm" c="dimmed">
                {label}
              </Text>
              <Text span c="dimmed" visibleFrom="sm" lh={0} aria-hidden>
                <Icon size={18} stroke={1.6} />
              </Text>
            </Group>
            {value === undefined ? (
              <Skeleton component="span" display="block" height={HEIGHT} mt={4} />
            ) : (
              <Text span display="block" mih={HEIGHT} mt={4}>
                <Text span display="block" fz={28} lh={1.2} fw={650} className={classes.value}>
                  {formatNumber(value)}
                </Text>
                <Text span display="block" size="xs" c="dimmed">
                  {note}
                </Text>
              </Text>
            )}
          </Paper>
        </ScreenLink>
      ))}
    </SimpleGrid>
  )
}
