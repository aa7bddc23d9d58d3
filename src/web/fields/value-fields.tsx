import { Input, MultiSelect, NativeSelect, NumberInput } from '@mantine/core'
import type { Entered } from '../columns/column-view.ts'
import { viewOf } from '../columns/column-views.tsx'
import type { ErrorAt } from '../parts/field-errors.ts'
import { columnOf, type FieldForm, valueAndLabel } from './field-form.ts'
import { fieldTypes, isLimit, type RuleName, ruleLabels } from './field-types.ts'

interface PartProps {
  readonly form: FieldForm
  readonly change: (part: Partial<FieldForm>) => void
  readonly errorAt: ErrorAt
  /** Of a field that there is. */
  readonly isStored: boolean
}

/** What a value must be like. */
export function RuleFields({ form, change, errorAt, isStored }: PartProps) {
  const { rules: names } = fieldTypes[form.type]
  const { error } = errorAt('rules')
  if (names.length === 0) return null
  const enter = (rule: RuleName, text: string) => change({ rules: { ...form.rules, [rule]: text } })
  return (
    <div {...(error ? { 'aria-invalid': true, tabIndex: -1 } : {})}>
      <div className="two-columns">
        {names.map((rule) => (
          <RuleField key={rule} rule={rule} form={form} enter={(text) => enter(rule, text)} isStored={isStored} />
        ))}
      </div>
      {error && (
        <Input.Error mt={6} role="alert">
          {error}
        </Input.Error>
      )}
    </div>
  )
}

interface RuleFieldProps {
  readonly rule: RuleName
  readonly form: FieldForm
  readonly enter: (text: string) => void
  readonly isStored: boolean
}

function RuleField({ rule, form: { type, rules }, enter, isStored }: RuleFieldProps) {
  const text = rules[rule] ?? ''
  if (isLimit(rule))
    return <ValueField type={type} label={ruleLabels[rule]} entered={text} enter={(to) => enter(String(to))} />
  const isFixed = rule === 'scale' && isStored
  return (
    <NumberInput
      label={ruleLabels[rule]}
      description={rule === 'scale' ? 'It never changes. 2 if you leave it empty.' : 'Optional.'}
      min={0}
      allowDecimal={false}
      hideControls
      readOnly={isFixed}
      {...(isFixed ? { variant: 'filled' } : {})}
      value={text === '' ? '' : Number(text)}
      onChange={(value) => enter(String(value))}
    />
  )
}

/** What a new row has where nothing is entered. A field with states has its initial value. */
export function DefaultField({ form, change, errorAt }: PartProps) {
  const { type, choices, defaultValue } = form
  const input = { label: 'Default', ...errorAt('default_value') }
  if (form.hasStates || form.isOnlyStart) return null
  const options = choices
    .filter(({ closed }) => !closed)
    .map((one) => ({ value: one.key, label: valueAndLabel(one).label }))
  if (type === 'choice')
    return (
      <NativeSelect
        {...input}
        description="What a new row has if nothing is sent."
        data={[{ value: '', label: 'No value' }, ...options.filter(({ label }) => label !== '')]}
        value={String(defaultValue)}
        onChange={(event) => change({ defaultValue: event.currentTarget.value })}
      />
    )
  if (type === 'choices')
    return (
      <MultiSelect
        {...input}
        description="What a new row has if nothing is sent."
        comboboxProps={{ withinPortal: false }}
        data={options.filter(({ label }) => label !== '')}
        value={[defaultValue].flat().filter((key) => options.some(({ value }) => value === key))}
        onChange={(keys) => change({ defaultValue: keys })}
      />
    )
  return (
    <ValueField type={type} {...input} entered={defaultValue} enter={(entered) => change({ defaultValue: entered })} />
  )
}

interface ValueFieldProps {
  readonly type: FieldForm['type']
  readonly label: string
  readonly error?: string
  readonly entered: Entered
  readonly enter: (entered: Entered) => void
}

/** The field of a form for a value of the type. */
function ValueField({ type, label, error, entered, enter }: ValueFieldProps) {
  const column = columnOf(type)
  const { Field } = viewOf(column)
  const input = {
    label,
    description: 'Optional.',
    required: false,
    withAsterisk: false,
    ...(error ? { error } : {}),
  } as const
  return <Field column={column} entered={entered} enter={enter} createOther={() => {}} input={input} />
}
