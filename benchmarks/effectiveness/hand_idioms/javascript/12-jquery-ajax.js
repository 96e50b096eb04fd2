$(document).ready(function () {
  $('#save-pottery').on('click', function (e) {
    e.preventDefault();
    $.ajax({
      url: '/pottery/save',
      type: 'POST',
      data: $('#pottery-form').serialize(),
      dataType: 'json',
      success: function (response) {
        if (response.success) {
          $('#message').text(response.message).show();
        } else {
          $('#error').text(response.error).show();
        }
      },
      error: function (xhr, status, error) {
        console.log(error);
      }
    });
  });
});
