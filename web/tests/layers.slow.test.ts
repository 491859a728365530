import { testLayers } from './layer-run.ts'
import { LAYERS } from './layers.ts'
import { shownRecords } from './shown.ts'

testLayers({ layers: [LAYERS], prepare: shownRecords })
