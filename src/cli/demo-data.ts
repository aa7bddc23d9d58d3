/** The fields of the demo company, as an owner would send them. */
export const demoFields = [
  {
    resource: 'project',
    name: 'status',
    type: 'choice',
    choices: [
      { value: 'planned', label: 'Planned', color: 'gray' },
      { value: 'active', label: 'Active', color: 'blue' },
      { value: 'done', label: 'Done', color: 'green' },
      { value: 'cancelled', label: 'Cancelled', color: 'red' },
    ],
    initial: 'planned',
    transitions: { planned: ['active', 'cancelled'], active: ['done', 'cancelled'] },
    indexed: true,
  },
  { resource: 'project', name: 'contract_value', type: 'decimal', rules: { minimum: 0 } },
  { resource: 'project', name: 'starts_on', type: 'date', label: 'Start' },
  { resource: 'project', name: 'due_on', type: 'date', label: 'Due date' },
  { resource: 'bid', name: 'amount', type: 'decimal', rules: { minimum: 0 } },
  { resource: 'bid', name: 'due_on', type: 'date', label: 'Due date' },
] as const

/** Each bid with its projects. */
export const demoBids = [
  {
    bid: { bid_name: 'Harbour bridge', amount: 4_280_000, due_on: '2026-12-18' },
    projects: [
      { project_name: 'Pile foundations', contract_value: 1_150_000, starts_on: '2026-09-07', due_on: '2027-01-29' },
      { project_name: 'Steel deck', contract_value: 2_400_000, starts_on: '2027-02-01', due_on: '2027-08-31' },
      { project_name: 'Approach road', contract_value: 730_000, starts_on: '2027-05-03', due_on: '2027-10-15' },
    ],
  },
  {
    bid: { bid_name: 'School extension', amount: 965_000.5, due_on: '2027-01-15' },
    projects: [
      { project_name: 'Gymnasium', contract_value: 812_500.5, starts_on: '2026-11-02', due_on: '2027-06-30' },
      { project_name: 'Roof garden', contract_value: 152_500, starts_on: '2027-04-12', due_on: null },
    ],
  },
] as const

/** What has happened to the projects since they were created, in this order. */
export const demoChanges = [
  { query: 'project_name=in.("Pile foundations","Gymnasium")', change: { status: 'active' } },
  { query: 'project_name=eq.Pile foundations', change: { status: 'done' } },
] as const
