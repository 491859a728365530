import { Group, Slider, Stack, Text } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useId, useState } from 'react'
import { strings } from '#strings/companies.ts'
import { FacetButton } from './facet-list.tsx'
import classes from './facets.module.css'

interface ScoreFacetProps {
  unscored: number
  buckets: { from: number; to: number; count: number }[]
  minScore: number
  choose: (score: number | undefined) => void
  isUnscoredChosen: boolean
  toggleUnscored: () => void
}

/** The minimum score, below a histogram of all scores. */
export function ScoreFacet({
  unscored,
  buckets,
  minScore,
  choose,
  isUnscoredChosen,
  toggleUnscored,
}: ScoreFacetProps) {
  const [score, setScore] = useState(minScore)
  const heading = useId()
  // With the keyboard, every step ends a slider change.
  const chooseSoon = useDebouncedCallback((chosen: number) => {
    if (chosen !== minScore) choose(chosen || undefined)
  }, 400)
  useEffect(() => setScore(minScore), [minScore])
  const highest = Math.max(1, ...buckets.map(({ count }) => count))
  return (
    <Stack gap={6} component="section" aria-labelledby={heading}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text id={heading} component="h2" size="sm" fw={600}>
          {strings.minimumScore}
        </Text>
        <Text size="xs" c="dimmed">
          {score > 0 ? strings.scoreFrom(score) : strings.anyScore}
        </Text>
      </Group>
      <div className={classes.histogram} aria-hidden>
        {buckets.map(({ from, to, count }) => (
          <div
            key={from}
            title={strings.scoreBucket(from, to, count)}
            data-inside={to >= score || undefined}
            style={{ height: count === 0 ? 1 : `${Math.max(6, (100 * count) / highest)}%` }}
          />
        ))}
      </div>
      <Slider
        size="sm"
        mx={6}
        step={5}
        min={0}
        max={100}
        value={score}
        onChange={setScore}
        onChangeEnd={chooseSoon}
        label={null}
        inverted
        thumbLabel={strings.minimumScore}
        thumbProps={{ 'aria-valuetext': score > 0 ? strings.scoreFrom(score) : strings.anyScore }}
      />
      {(unscored > 0 || isUnscoredChosen) && (
        <FacetButton
          facet={{ value: null, label: strings.unscored, count: unscored }}
          isChosen={isUnscoredChosen}
          toggle={() => {
            chooseSoon.cancel()
            setScore(0)
            toggleUnscored()
          }}
        />
      )}
    </Stack>
  )
}
