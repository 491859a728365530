import { Button, Group, NativeSelect } from '@mantine/core'
import { IconClockExclamation, IconLayoutKanban, IconList, IconUser, IconX } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { DEAL_STATUSES, STUCK_DAYS } from '#src/client/limits.ts'
import { strings } from '#strings/pipeline.ts'
import { FilterButton, useFilterBuilder } from '#web/filters/filter-button.tsx'
import { FilterChips } from '#web/filters/filter-chips.tsx'
import type { ChangeFilter } from '#web/filters/tree.ts'
import { formatWord } from '#web/format/format.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { ScreenButton } from '#web/ui/link.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { labelOfStage, type Stage } from '../deals.ts'
import type { PipelineSearch } from '../pipeline-search.ts'
import { withExplicitView } from '../pipeline-view.ts'
import classes from './board/board.module.css'

interface PipelineFiltersProps {
  search: PipelineSearch
  stages: readonly Stage[]
  /** True while a view opens: a filter would replace it. */
  isDisabled: boolean
}

/** The filters of the deals, and the choice between board and list. All of them are part of the address. */
export function PipelineFilters({ search, stages, isDisabled }: PipelineFiltersProps) {
  const navigate = useNavigate({ from: '/pipeline' })
  const { layout = 'board', status = 'all', stage, owner, stuck, filter } = search
  /** Returns to the first page, too. */
  const change = (changes: { [K in keyof PipelineSearch]?: PipelineSearch[K] | undefined }) =>
    !isDisabled &&
    navigate({
      to: '/pipeline',
      search: (before) =>
        withExplicitView(
          Object.fromEntries(
            Object.entries({ ...before, page: undefined, ...changes }).filter(
              ([, value]) => value !== undefined,
            ),
          ) as PipelineSearch,
        ),
    })
  const changeFilter: ChangeFilter = (chosen) => change({ filter: chosen })
  const builder = useFilterBuilder()
  const choose = (chosen: 'board' | 'list') => change({ layout: chosen })
  const other = layout === 'list' ? 'board' : 'list'
  useActions([
    {
      id: 'change-layout',
      label: strings.showAs[other],
      group: strings.title,
      run: () => choose(other),
      disabled: isDisabled,
    },
  ])
  return (
    <fieldset className={classes.filters} disabled={isDisabled}>
      <Group gap="xs" className="print-hidden">
        <StatusFilter
          status={status}
          choose={(chosen) => change({ status: chosen === 'all' ? undefined : chosen })}
        />
        <Toggle
          isOn={owner === 'me'}
          label={strings.mine}
          Icon={IconUser}
          toggle={() => change({ owner: owner ? undefined : 'me' })}
        />
        <Toggle
          isOn={stuck === true}
          label={strings.stuck}
          title={strings.stuckHelp(STUCK_DAYS)}
          Icon={IconClockExclamation}
          toggle={() => change({ stuck: stuck ? undefined : true })}
        />
        {stage && (
          <ScreenButton
            from="/pipeline"
            to="/pipeline"
            search={({ stage: _stage, page: _page, ...others }) => withExplicitView(others)}
            variant="light"
            size="compact-sm"
            rightSection={<IconX size={14} aria-hidden />}
            aria-label={strings.clearStageFilter(labelOfStage(stages, stage))}
          >
            {strings.stageFilter(labelOfStage(stages, stage))}
          </ScreenButton>
        )}
        <FilterButton entity="deal" value={filter} onChange={changeFilter} builder={builder} />
        <SegmentedControl
          className={classes.layout}
          aria-label={strings.view}
          value={layout}
          onChange={choose}
          data={[
            { value: 'board', label: <ViewLabel Icon={IconLayoutKanban} label={strings.board} /> },
            { value: 'list', label: <ViewLabel Icon={IconList} label={strings.list} /> },
          ]}
        />
      </Group>
      <FilterChips entity="deal" value={filter} onChange={changeFilter} edit={builder.open} />
    </fieldset>
  )
}

interface ToggleProps {
  isOn: boolean
  label: string
  title?: string
  Icon: typeof IconUser
  toggle: () => void
}

/** A filter that is on or off. */
function Toggle({ isOn, label, title, Icon, toggle }: ToggleProps) {
  return (
    <Button
      size="xs"
      variant={isOn ? 'light' : 'default'}
      aria-pressed={isOn}
      title={title}
      leftSection={<Icon size={14} aria-hidden />}
      onClick={toggle}
    >
      {label}
    </Button>
  )
}

function ViewLabel({ Icon, label }: { Icon: typeof IconList; label: string }) {
  return (
    <Group gap={6} wrap="nowrap" component="span">
      <Icon size={16} aria-hidden />
      <span>{label}</span>
    </Group>
  )
}

interface StatusFilterProps {
  status: string
  choose: (status: string) => void
}

function StatusFilter({ status, choose }: StatusFilterProps) {
  const isKnown = status === 'all' || (DEAL_STATUSES as readonly string[]).includes(status)
  const words = [...DEAL_STATUSES, ...(isKnown ? [] : [status])]
  const data = [
    { value: 'all', label: strings.allStatuses },
    ...words.map((word) => ({ value: word, label: formatWord(word) })),
  ]
  return (
    <>
      <SegmentedControl
        aria-label={strings.filterByStatus}
        value={status}
        onChange={choose}
        data={data}
        visibleFrom="sm"
      />
      <NativeSelect
        aria-label={strings.filterByStatus}
        value={status}
        onChange={(event) => choose(event.currentTarget.value)}
        data={data}
        hiddenFrom="sm"
        w="8.5rem"
      />
    </>
  )
}
