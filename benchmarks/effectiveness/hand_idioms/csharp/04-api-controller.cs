    [ApiController]
    [Route("api/[controller]")]
    public class OrchardsController : ControllerBase
    {
        private readonly IOrchardService _orchardService;

        public OrchardsController(IOrchardService orchardService)
        {
            _orchardService = orchardService;
        }

        [HttpGet("{id}")]
        public async Task<ActionResult<Orchard>> GetOrchard(int id)
        {
            var orchard = await _orchardService.GetByIdAsync(id);
            if (orchard == null)
            {
                return NotFound();
            }

            return Ok(orchard);
        }
    }
