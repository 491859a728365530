import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { columnsByField } from '#web/columns/columns-by-field.ts'
import { useColumns } from '#web/columns/use-columns.ts'
import { fieldQueries } from '#web/service/field-queries.ts'
import type { Columns } from '#web/views/column-state.ts'
import { BUILT_IN_COLUMNS, DEFAULT_COLUMNS, NAME } from './columns.tsx'
import type { CompaniesSearch } from './companies-search.ts'
import type { ChangeSearch } from './use-company-list.ts'
import { isInView } from './view-address.ts'

/**
 * The columns of the list, and the ways to change them.
 * @param own the user's columns outside of views, which changes there become
 */
export function useCompanyColumns(
  search: CompaniesSearch,
  change: ChangeSearch,
  own: Columns,
  setOwn: (columns: Columns) => void,
) {
  const { data: fields } = useQuery(fieldQueries.fields('company'))
  const known = useMemo(() => columnsByField(BUILT_IN_COLUMNS, fields), [fields])
  const inView = isInView(search)
  const { page } = search
  const show = useCallback(
    (columns: Columns) => {
      if (!inView) setOwn(columns)
      change({ columns: [...columns], page }, { replace: true })
    },
    [inView, setOwn, change, page],
  )
  const shown = search.columns ?? (inView ? DEFAULT_COLUMNS : own)
  return useColumns({ first: NAME, known, shown, defaults: DEFAULT_COLUMNS, show })
}
