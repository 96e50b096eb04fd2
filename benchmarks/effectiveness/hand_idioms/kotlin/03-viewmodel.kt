class PantryViewModel(private val repository: PantryRepository) : ViewModel() {

    private val _items = MutableLiveData<List<PantryItem>>()
    val items: LiveData<List<PantryItem>> = _items

    private val _error = MutableLiveData<String>()
    val error: LiveData<String> = _error

    fun loadItems() {
        viewModelScope.launch {
            try {
                _items.value = repository.getItems()
            } catch (e: Exception) {
                _error.value = e.message
            }
        }
    }
}
