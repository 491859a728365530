import type { RefObject } from 'react'
import { strings } from '#strings/companies.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import classes from '#web/lists/list.module.css'
import { SearchBox } from '#web/lists/search-box.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import type { CompaniesSearch } from '../companies-search.ts'
import type { ChangeCompanies } from '../hooks/use-company-list.ts'

interface CompanySearchProps {
  search: CompaniesSearch
  change: ChangeCompanies
  inputRef: RefObject<HTMLInputElement | null>
  /** Whether a model answers. */
  hasModel: boolean
  /** Moves the focus into the list. */
  enterList: () => void
}

/** Searches companies by keyword or by meaning. */
export const CompanySearch = ({ search, change, inputRef, hasModel, enterList }: CompanySearchProps) => (
  <SearchBox
    label={strings.search}
    placeholder={search.by ? strings.semanticPlaceholder : strings.keywordPlaceholder}
    group={keyboard.list}
    q={search.q}
    search={(q, options) => change({ q }, options)}
    inputRef={inputRef}
    enterList={enterList}
  >
    <SegmentedControl
      size="xs"
      className={classes.searchBy}
      aria-label={strings.searchMode}
      value={search.by ?? 'keyword'}
      onChange={(chosen) => change({ by: chosen === 'semantic' ? 'semantic' : undefined })}
      data={[
        { value: 'keyword', label: strings.keyword },
        { value: 'semantic', label: hasModel ? strings.semantic : strings.bestMatch },
      ]}
    />
  </SearchBox>
)
