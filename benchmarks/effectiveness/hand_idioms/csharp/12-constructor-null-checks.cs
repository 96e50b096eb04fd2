    public class PierService : IPierService
    {
        private readonly IPierRepository _pierRepository;
        private readonly IMapper _mapper;
        private readonly ILogger<PierService> _logger;

        public PierService(IPierRepository pierRepository, IMapper mapper, ILogger<PierService> logger)
        {
            _pierRepository = pierRepository ?? throw new ArgumentNullException(nameof(pierRepository));
            _mapper = mapper ?? throw new ArgumentNullException(nameof(mapper));
            _logger = logger ?? throw new ArgumentNullException(nameof(logger));
        }

        public async Task<PierDto> GetAsync(Guid id)
        {
            var pier = await _pierRepository.GetAsync(id);
            return _mapper.Map<PierDto>(pier);
        }
    }
