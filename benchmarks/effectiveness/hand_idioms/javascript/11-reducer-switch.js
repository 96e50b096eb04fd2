const initialState = {
  berths: [],
  loading: false,
  error: null
};

export default function berthsReducer(state = initialState, action) {
  switch (action.type) {
    case FETCH_BERTHS_REQUEST:
      return { ...state, loading: true };
    case FETCH_BERTHS_SUCCESS:
      return { ...state, loading: false, berths: action.payload };
    case FETCH_BERTHS_FAILURE:
      return { ...state, loading: false, error: action.error };
    default:
      return state;
  }
}
