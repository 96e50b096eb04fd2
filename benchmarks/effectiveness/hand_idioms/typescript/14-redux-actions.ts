export const loadFerries = createAction('[Ferry] Load Ferries');
export const loadFerriesSuccess = createAction('[Ferry] Load Ferries Success', props<{ ferries: Ferry[] }>());
export const loadFerriesFailure = createAction('[Ferry] Load Ferries Failure', props<{ error: any }>());

export interface FerryState {
  ferries: Ferry[];
  loading: boolean;
  error: any;
}

export const initialState: FerryState = { ferries: [], loading: false, error: null };

export const ferryReducer = createReducer(
  initialState,
  on(loadFerries, (state) => ({ ...state, loading: true })),
  on(loadFerriesSuccess, (state, { ferries }) => ({ ...state, loading: false, ferries })),
  on(loadFerriesFailure, (state, { error }) => ({ ...state, loading: false, error })),
);
